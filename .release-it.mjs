import { execFileSync } from 'node:child_process';

const origin = execFileSync('git', ['remote', 'get-url', 'origin'], { encoding: 'utf8' }).trim();

/** A clone of a folder has no page of a release, and shows all other steps. */
const hasPage = /^(https?|ssh):|@/.test(origin);

export default {
	git: {
		requireBranch: 'main',
		requireUpstream: true,
		commitMessage: 'Release ${version}',
		tagName: 'v${version}',
		tagAnnotation: 'Release ${version}',
	},
	npm: { publish: false, allowSameVersion: true },
	github: { release: hasPage, web: true, releaseName: '${version}' },
	hooks: {
		'before:init': 'node scripts/publishable.mjs',
		'after:init': ['npm test', 'npm run scan'],
	},
	plugins: { '@release-it/keep-a-changelog': { addUnreleased: true } },
};
