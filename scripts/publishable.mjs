// Ends with an error while package.json holds names that nobody can own, for what n8n and npm show would lead nowhere. In a
// workflow of GitHub also where it holds another repository than that one, for npm would refuse the provenance, and where
// `npm run release` has not made the tag.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Hosts of RFC 2606, which are for documents only. */
const RESERVED =
	/(?:[@/.]|^)(?:[\w-]+\.)*(?:example|invalid|test|localhost|example\.(?:com|net|org))(?=[/:>\s]|$)/;

const folder = path.resolve(import.meta.dirname, '..', process.argv[2] ?? '');
const read = (file) => readFileSync(path.join(folder, file), 'utf8');
const { author, bugs, homepage, repository, version } = JSON.parse(read('package.json'));

const named = {
	author: author?.email ?? author,
	'bugs.url': bugs?.url ?? bugs,
	homepage,
	'repository.url': repository?.url ?? repository,
};
const reserved = Object.entries(named).filter(([, value]) => !value || RESERVED.test(String(value)));
for (const [member, value = 'nothing'] of reserved) console.error(`package.json: ${member} is ${value}`);
if (reserved.length > 0) {
	console.error(
		'Nothing is published with reserved names: write your own into these members of package.json.',
	);
	process.exitCode = 1;
}

const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY } = process.env;
const here = GITHUB_REPOSITORY && `git+https://github.com/${GITHUB_REPOSITORY}.git`;
if (here && named['repository.url'] !== here) {
	console.error(
		`package.json: repository.url is ${named['repository.url']}, but this is ${here}, which npm wants there.`,
	);
	process.exitCode = 1;
}

function isOnMain() {
	try {
		execFileSync('git', ['merge-base', '--is-ancestor', 'HEAD', 'origin/main'], { cwd: folder });
		return true;
	} catch {
		return false;
	}
}
if (tag && !read('CHANGELOG.md').includes(`\n## [${version}]`)) {
	console.error(`CHANGELOG.md has no ${version}: let npm run release make the version and its tag.`);
	process.exitCode = 1;
}
if (tag && !isOnMain()) {
	console.error(`The commit of ${tag} is not on the branch main: release what is there.`);
	process.exitCode = 1;
}
