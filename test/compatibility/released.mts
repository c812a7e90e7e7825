import { execFileSync } from 'node:child_process';

/** Where the frozen workflows of a version stand. */
const folderOf = (version: string) => `test/compatibility/${version}`;

const gitIn =
	(folder: string) =>
	(...args: string[]): string =>
		execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

/** The versions that the changelog of the last commit names, each with its heading. A pre-release promises nothing. */
function releasedIn(projectFolder: string): Array<{ heading: string; version: string }> {
	const changelog = gitIn(projectFolder)('show', 'HEAD:CHANGELOG.md');
	return [...changelog.matchAll(/^## \[([\d.]+)\]/gm)].map(([heading, version]) => ({ heading, version }));
}

/** Whether the changelog of the last commit names a version. */
export const isReleased = (projectFolder: string, version: string): boolean =>
	releasedIn(projectFolder).some((one) => one.version === version);

/**
 * What has been done to the frozen workflows of each released version since the commit of its release.
 *
 * @param projectFolder a git repository with its whole history
 */
export function changedSinceRelease(projectFolder: string): string[] {
	const git = gitIn(projectFolder);
	return releasedIn(projectFolder).flatMap(({ heading, version }) => {
		const folder = folderOf(version);
		const [release] = git('log', '--reverse', '--format=%H', `-S${heading}`, '--', 'CHANGELOG.md').split(
			'\n',
		);
		if (git('ls-tree', release, `${folder}/`) === '')
			return [`${folder} is missing: ${version} was released without it`];
		const changed = git('diff', '--name-only', release, '--', folder);
		const added = git('ls-files', '--others', '--exclude-standard', '--', folder);
		const files = `${changed}\n${added}`.split('\n').filter(Boolean);
		return files.map((file) => `${file} is not as it was released: put it back`);
	});
}
