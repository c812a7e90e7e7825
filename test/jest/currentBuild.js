const tsx = require('tsx/cjs/api');

const { problemOfBuild } = tsx.require('../../scripts/sources.mts', __filename);

/** Ends jest before any test where these would run another `dist` than that of the sources. */
module.exports = async () => {
	const problem = await problemOfBuild();
	if (problem === undefined) return;
	// An error would be shown with jest's own words and a stack.
	console.error(problem);
	process.exit(1);
};
