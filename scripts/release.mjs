// npm run release -- <version> [sandbox] [--dry-run]: makes a version of the n8n package, or of the sandbox: changelog, commit and
// tag, which a workflow publishes. The version is a number, or a word of `npm version`: major, minor, patch, preminor and so on.
// --dry-run shows the commit and takes it back, and --without-tests is for rehearsals.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { checkInstalled, endWith, projectFolder, SetupProblem } from './installed.mjs';

const run = (command, args, cwd = projectFolder) =>
	execFileSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
const git = (...args) =>
	execFileSync('git', args, { cwd: projectFolder, stdio: ['ignore', 'pipe', 'inherit'] })
		.toString()
		.trim();
const refuse = (isWrong, message) => {
	if (isWrong) throw new SetupProblem(message);
};

function release([wanted, workspace = ''], flags) {
	const folder = path.join(projectFolder, workspace);
	const changelog = path.join(folder, 'CHANGELOG.md');
	const text = readFileSync(changelog, 'utf8');
	const isEmpty = !/\n## \[Unreleased\]\s+(?!## )\S/.test(text);
	const head = git('rev-parse', 'HEAD');
	refuse(!wanted, 'Name the version, such as: npm run release -- minor');
	run('node', ['scripts/publishable.mjs', workspace]);
	refuse(git('branch', '--show-current') !== 'main', 'Must be on branch main: release what is merged there.');
	refuse(git('status', '--porcelain') !== '', 'Working dir must be clean: commit what has changed first.');
	refuse(isEmpty, `There are no entries under "Unreleased" of ${changelog}.`);
	git('fetch', '--quiet', 'origin', 'main');
	refuse(
		git('rev-parse', 'FETCH_HEAD') !== head,
		'The branch main is not that of origin: pull or push first.',
	);
	const isTested = !flags.includes('--without-tests');
	if (isTested) for (const args of [['test'], ['run', 'scan']]) run('npm', args);

	const undo = [['reset', '--quiet', '--hard', head]];
	try {
		const settings = ['--no-git-tag-version', '--allow-same-version', '--workspaces=false'];
		run('npm', ['version', wanted, ...settings], folder);
		run('npm', ['install', '--package-lock-only', '--offline']);
		const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
		const heading = `## [Unreleased]\n\n## [${version}] - ${new Date().toISOString().slice(0, 10)}`;
		writeFileSync(changelog, text.replace('## [Unreleased]', heading));
		const [name, tag] = [workspace && `${workspace} `, workspace && `${workspace}-`];
		git('commit', '--quiet', '--all', '--message', `Release ${name}${version}`);
		git('tag', '--annotate', `${tag}v${version}`, '--message', `Release ${name}${version}`);
		undo.push(['tag', '--delete', `${tag}v${version}`]);
		if (flags.includes('--dry-run')) return run('git', ['--no-pager', 'show']);
		run('git', ['push', '--quiet', '--atomic', 'origin', 'main', `${tag}v${version}`]);
		undo.length = 0;
		console.log(`${tag}v${version} is pushed: write its notes on GitHub, and approve its workflow.`);
	} finally {
		for (const args of undo) git(...args);
	}
}

try {
	checkInstalled();
	const isFlag = (arg) => arg.startsWith('--');
	const args = process.argv.slice(2);
	release(
		args.filter((arg) => !isFlag(arg)),
		args.filter(isFlag),
	);
} catch (error) {
	endWith(error.status ? new SetupProblem('Nothing is released: see above.') : error);
}
