/** The command line of the key command. */
import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../../../../local/command-line.ts';
import { readKeyArguments } from '../../../../tools/keys/key-arguments.ts';

const read = (line: string) => readKeyArguments(line.split(' ').filter(Boolean));

describe('the command line', () => {
  it.each([
    ['list', { command: { action: 'list' }, target: { local: false, stage: 'dev' } }],
    ['list --stage prod', { command: { action: 'list' }, target: { local: false, stage: 'prod' } }],
    ['list --local', { command: { action: 'list' }, target: { local: true, dataDir: '.data' } }],
    ['list --local --data-dir /d', { command: { action: 'list' }, target: { local: true, dataDir: '/d' } }],
    ['create --plan pro --name acme', { command: { action: 'create', name: 'acme', plan: 'pro' } }],
    ['create --demo', { command: { action: 'create', name: 'demo', plan: 'starter' } }],
    ['disable k1', { command: { action: 'disable', keyId: 'k1' } }],
    ['enable k1 --stage prod', { command: { action: 'enable', keyId: 'k1' } }],
    ['move k1 --plan lite', { command: { action: 'move', keyId: 'k1', plan: 'lite' } }],
    ['rotate k1', { command: { action: 'rotate', keyId: 'k1', revoke: false } }],
    ['rotate --revoke k1', { command: { action: 'rotate', keyId: 'k1', revoke: true } }],
  ])('%s', (line, expected) => {
    expect(read(line)).toMatchObject(expected);
  });

  it.each([
    ['', 'a command is missing'],
    ['destroy k1', 'there is no command destroy'],
    ['toString', 'there is no command toString'],
    ['create --name acme', '--plan is missing'],
    ['create --plan pro', '--name is missing'],
    ['create --plan pro --name', "option '--name <name>' argument missing"],
    ['create --plan pro --name pcd_dev_abc', 'a secret does not belong on a command line'],
    ['disable PCD_LIVE_abc', 'a secret does not belong on a command line'],
    ['create --plan pro --name <b>', 'a name is'],
    ['create acme --plan pro --name acme', "too many arguments for 'create'"],
    ['create --demo --name acme', 'the demo key is named demo'],
    ['create --demo --stage prod', 'prod has no demo key'],
    ['disable', "missing required argument 'key_id'"],
    ['disable k1 k2', "too many arguments for 'disable'"],
    ['disable k1 --plan pro', "unknown option '--plan'"],
    ['move k1', "required option '--plan <plan>' not specified"],
    ['list --stage test', 'there is no stage test'],
    ['list --local --stage dev', '--local and --stage exclude each other'],
    ['list --data-dir /d', '--data-dir goes with --local'],
    ['list --verbose', "unknown option '--verbose'"],
  ])('"%s" is refused: %s', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });

  it('says no more of an unknown option than that', () => {
    expect(() => read('list --port 1')).toThrow(/^unknown option '--port'$/);
  });
});
