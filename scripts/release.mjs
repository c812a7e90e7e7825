// npm run release -- <version> [sandbox]: makes a version of the n8n package, or of the sandbox: changelog, commit and tag, which a
// workflow publishes. The version is a number, or a word of `npm version`: major, minor, patch, preminor, prerelease and so on.
// --preid beta names a pre-release, --dry-run shows the commit and takes it back, and --without-tests is for rehearsals.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { checkInstalled, endWith, projectFolder, SetupProblem } from './installed.mjs';

const run = (command, args, cwd = projectFolder) =>
	execFileSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
const git = (...args) =>
	execFileSync('git', args, {
		cwd: projectFolder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	}).trim();
const refuse = (isWrong, message) => {
	if (isWrong) throw new SetupProblem(message);
};

function release([wanted, workspace = ''], { preid, 'dry-run': isDry, 'without-tests': isUntested }) {
	const folder = path.join(projectFolder, workspace);
	const [manifest, changelog] = ['package.json', 'CHANGELOG.md'].map((name) => path.join(folder, name));
	refuse(!wanted, 'Name the version, such as: npm run release -- minor');
	run('node', ['scripts/publishable.mjs', workspace]);
	refuse(
		git('branch', '--show-current') !== 'main',
		'Must be on branch main: merge first, and release there.',
	);
	refuse(git('status', '--porcelain') !== '', 'Working dir must be clean: commit what has changed first.');
	const text = readFileSync(changelog, 'utf8');
	refuse(
		!/\n## \[Unreleased\]\s+(?!## )\S/.test(text),
		`There are no entries under "Unreleased" of ${changelog}.`,
	);
	git('fetch', '--quiet', 'origin', 'main');
	const isSame = git('rev-parse', 'HEAD') === git('rev-parse', 'FETCH_HEAD');
	refuse(!isSame, 'The branch main is not that of origin: pull or push first.');
	if (!isUntested) for (const args of [['test'], ['run', 'scan']]) run('npm', args);

	const named = preid ? ['--preid', preid] : [];
	const settings = ['--no-git-tag-version', '--allow-same-version', '--workspaces=false', ...named];
	run('npm', ['version', wanted, ...settings], folder);
	run('npm', ['install', '--package-lock-only', '--offline']);
	const { version, repository } = JSON.parse(readFileSync(manifest, 'utf8'));
	const heading = `## [Unreleased]\n\n## [${version}] - ${new Date().toISOString().slice(0, 10)}`;
	writeFileSync(changelog, text.replace('## [Unreleased]', heading));
	const [name, tag] = workspace
		? [`${workspace} ${version}`, `${workspace}-v${version}`]
		: [version, `v${version}`];
	git('commit', '--quiet', '--all', '--message', `Release ${name}`);
	let isPushed = false;
	try {
		git('tag', '--annotate', tag, '--message', `Release ${name}`);
		if (isDry) run('git', ['--no-pager', 'show']);
		else git('push', '--quiet', '--atomic', 'origin', 'main', tag);
		isPushed = !isDry;
	} finally {
		if (!isPushed) git('reset', '--quiet', '--hard', 'HEAD~1');
		if (!isPushed) git('tag', '--delete', tag);
	}
	const page = `${repository.url.replace(/^git\+|\.git$/g, '')}/releases/new?tag=${tag}`;
	console.log(isDry ? `Taken back: ${tag}` : `Pushed: ${tag}. The notes are written here: ${page}`);
}

try {
	checkInstalled();
	const flag = { type: 'boolean', default: false };
	const options = { preid: { type: 'string' }, 'dry-run': flag, 'without-tests': flag };
	const { positionals, values } = parseArgs({ allowPositionals: true, options });
	release(positionals, values);
} catch (error) {
	endWith(error.status ? new SetupProblem('Nothing was released: see above.') : error);
}
