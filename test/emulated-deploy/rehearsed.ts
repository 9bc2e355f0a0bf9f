/** Which documented commands the emulated deploy runs, and why it cannot run the others. */
import { commandsOf, type DocumentedCommand } from './pages.ts';

/** Headings by page: every command below them is run, but for the excused ones. */
export const REHEARSED = {
  'deploy.md': ['1. Once for the account and region', '3. Deploy', '4. A key and the first response'],
  'settings.md': ['Settings of a stage', 'Keys of sources'],
  'releases.md': ['Production, by GitHub Actions', 'Two stages in one account', 'A version is refused'],
  'remove-a-stage.md': [
    'Remove a stage',
    'A dev stage',
    'A prod stage',
    'Adopt what a stage left',
    'Retire a stage for good',
  ],
  'aws-checklist.md': [],
  'runbook.md': [
    'Runbook',
    'First, in two minutes',
    'The health canary fails',
    'A function is throttled',
    'A source is stale',
    'Dead letters arrive',
    'Keys are not reconciled',
    'A key cannot be used',
    'No release is written',
    'Common tasks',
    'Rebuild the tables',
    'Restore a stage',
    'Into a fresh stage',
  ],
  'keys.md': [
    'The key command',
    'What the console may do',
    'A plan that was deleted',
    'Quotas and usage',
    'What a change does, and how soon',
    'Revoking a key',
  ],
} as const;

export type Page = keyof typeof REHEARSED;

/** Beginnings of commands, by the reason why the emulated deploy does not run them. */
const EXCUSED: Readonly<Record<string, string>> = {
  'npx cdk destroy pcd-$STAGE-portal': 'a stage without a portal would leave most of the walk out',
  'npm run preflight':
    'it ends with code 1 in an empty account; the walk runs it before the bootstrap and after',
  'aws iam create-open-id-connect-provider': 'no workflow of GitHub reaches the emulator',
  'npm run smoke': 'the walk runs it with a key for each case',
  'aws stepfunctions start-execution --state-machine-arn $(output ingest BackFillArn) \\\n  --input \'{"source":"hk':
    'a back-fill of the past fetches from the publisher',
  'npx cdk deploy --all -c stage=$STAGE`': 'run under another heading',
  'ACCOUNT=$(aws sts get-caller-identity --output text --query Account)\naws iam':
    'the emulator enforces no boundary',
  'REGION=$(aws configure get region)': 'the emulator simulates no policy',
  'PLAN=$(output api StarterPlanId)': 'the emulator counts no usage',
  'aws apigateway update-usage': 'the emulator counts no usage',
  'npx cdk deploy --all -c stage=$STAGE -c withoutPlan': 'no plan is missing',
  'aws cloudformation continue-update-rollback': 'no update has failed',
  'aws stepfunctions redrive-execution': 'the emulator redrives no execution',
  'npm run ingest': 'the ingest of one machine, which the text only names',
  'npm run keys -- list --stage $STAGE`': 'run under another heading',
  'aws s3 cp s3://$ARCHIVE/$SOURCE/$STAMP.verdict.json': 'no reply of the walk is held',
  'export $(aws lambda get-function-configuration': 'no reply of the walk is held',
  'npm run check:sources': 'it asks the publishers',
  'npm run build`': 'the walk has built them',
  'npm run trace': 'the walk has no failed function',
  'npm run study -- reception': 'no live positions are recorded',
  'aws acm describe-certificate': 'the emulator has no certificate',
  'aws s3api get-bucket-replication': 'the emulator copies no bucket',
  'aws s3 sync s3://$ARCHIVE s3://$COPY': 'there is no other region',
  'aws dynamodb list-backups': 'the emulator makes no backup of a deleted table',
};

/** Commands of what only AWS can show. */
const FOR_AWS = { page: 'aws-checklist.md', heading: 'Real-AWS checklist' };

export function reasonAgainst({ page, heading, text }: DocumentedCommand): string | undefined {
  if (page === FOR_AWS.page && heading === FOR_AWS.heading) return 'only AWS can show it';
  return Object.entries(EXCUSED).find(([beginning]) => `${text}\``.startsWith(beginning))?.[1];
}

export const EXCUSES = Object.keys(EXCUSED);

/** Whether the command stands under a heading whose commands are run. */
export const isRehearsed = ({ page, heading }: DocumentedCommand): boolean =>
  (REHEARSED[page as Page] as readonly string[]).includes(heading);

/** Every command of the rehearsed pages. */
export const documentedCommands = (): DocumentedCommand[] =>
  (Object.keys(REHEARSED) as Page[]).flatMap((page) => commandsOf(page));
