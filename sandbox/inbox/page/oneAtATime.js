/** Runs a job; calls while it runs make it run once more afterwards, not at the same time. */
export function oneAtATime(job, onError) {
	let isRunning = false;
	let isWanted = false;
	return async () => {
		isWanted = true;
		if (isRunning) return;
		isRunning = true;
		while (isWanted) {
			isWanted = false;
			await job().catch(onError);
		}
		isRunning = false;
	};
}
