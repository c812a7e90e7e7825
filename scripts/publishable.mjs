// Ends with an error while package.json holds names that nobody can own, for what n8n and npm show would lead nowhere. In a
// workflow of GitHub also where it holds another repository than that one, for npm would refuse the provenance, and where
// `npm run release` has not made the tag.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Hosts of RFC 2606, which are for documents only. */
const RESERVED =
	/(?:[@/.]|^)(?:[\w-]+\.)*(?:example|invalid|test|localhost|example\.(?:com|net|org))(?=[/:>\s]|$)/;

const workspace = process.argv[2] ?? '';
const folder = path.resolve(import.meta.dirname, '..', workspace);
/** A file of the package, as people find it in the project. */
const named = (file) => path.posix.join(workspace, file);
const read = (file) => readFileSync(path.join(folder, file), 'utf8');
const { author, bugs, homepage, repository, version } = JSON.parse(read('package.json'));

const members = {
	author: author?.email ?? author,
	'bugs.url': bugs?.url ?? bugs,
	homepage,
	'repository.url': repository?.url ?? repository,
};
const reserved = Object.entries(members).filter(([, value]) => !value || RESERVED.test(String(value)));
for (const [member, value = 'nothing'] of reserved)
	console.error(`${named('package.json')}: ${member} is ${value}`);
if (reserved.length > 0) {
	console.error(
		`Nothing is published with reserved names: write your own into these members of ${named('package.json')}.`,
	);
	process.exitCode = 1;
}

const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY } = process.env;
const here = GITHUB_REPOSITORY && `git+https://github.com/${GITHUB_REPOSITORY}.git`;
if (here && members['repository.url'] !== here) {
	console.error(
		`${named('package.json')}: repository.url is ${members['repository.url']}, but this is ${here}, which npm wants there.`,
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
	console.error(
		`${named('CHANGELOG.md')} has no ${version}: let npm run release make the version and its tag.`,
	);
	process.exitCode = 1;
}
if (tag && !isOnMain()) {
	console.error(`The commit of ${tag} is not on the branch main: release what is there.`);
	process.exitCode = 1;
}
