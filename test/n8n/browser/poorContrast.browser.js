/**
 * Runs in the page: every visible text whose contrast with what is behind it is below 4.5, with that ratio.
 * @returns {Array<[ratio: number, className: string, text: string]>}
 */
(() => {
	const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
	const light = (color) => {
		const [red, green, blue] = channels(color)
			.slice(0, 3)
			.map((part) => part / 255)
			.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const ground = (node) => {
		for (let at = node; at; at = at.parentElement) {
			const { backgroundColor } = getComputedStyle(at);
			if ((channels(backgroundColor)[3] ?? 1) === 1) return backgroundColor;
		}
		return 'rgb(255, 255, 255)';
	};
	const contrast = (node) => {
		const [one, two] = [light(getComputedStyle(node).color), light(ground(node))];
		return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
	};
	return [...document.querySelectorAll('body *')]
		.filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
		.filter((node) => node.offsetParent !== null)
		.map((node) => [contrast(node), node.className, node.textContent])
		.filter(([ratio]) => ratio < 4.5);
})();
