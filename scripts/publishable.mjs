// Ends with an error while package.json holds names that nobody can own, for what n8n and npm show would lead nowhere, or in
// a workflow of GitHub another repository than that one, for npm would refuse the provenance.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Hosts of RFC 2606, which are for documents only. */
const RESERVED =
	/(?:[@/.]|^)(?:[\w-]+\.)*(?:example|invalid|test|localhost|example\.(?:com|net|org))(?=[/:>\s]|$)/;

const { author, bugs, homepage, repository } = JSON.parse(
	readFileSync(path.resolve(import.meta.dirname, '..', process.argv[2] ?? '', 'package.json'), 'utf8'),
);

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

const { GITHUB_REPOSITORY } = process.env;
const here = GITHUB_REPOSITORY && `git+https://github.com/${GITHUB_REPOSITORY}.git`;
if (here && named['repository.url'] !== here) {
	console.error(
		`package.json: repository.url is ${named['repository.url']}, but this is ${here}, which npm wants there.`,
	);
	process.exitCode = 1;
}
