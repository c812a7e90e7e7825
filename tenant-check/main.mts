// npm run tenant:check -- --domain acme.example.com: reads an account, and says which rows of docs/running.md it keeps.
import { Account } from './account.mts';
import { readAccess } from './access.mts';
import { CheckProblem } from './problem.mts';
import { Report } from './report.mts';
import { Walk } from './walk.mts';

async function main(): Promise<void> {
	const access = readAccess(process.argv.slice(2), process.env);
	const { host } = new URL(access.baseUrl);
	console.log(`Reading ${host}, which takes less than a minute and changes nothing.\n`);
	const report = new Report();
	const account = new Account(access, report);
	try {
		await new Walk(account, report).run();
	} finally {
		await account.close();
		if (report.has('body')) console.log(`${report.lines().join('\n')}\n\n${account.sent} requests.`);
	}
}

main().catch((error: unknown) => {
	const isKnown = error instanceof CheckProblem;
	console.error(isKnown ? error.message : 'The check failed for an unknown reason: please report this.');
	process.exitCode = 1;
});
