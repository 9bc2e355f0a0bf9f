import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { connectionOf, endpointOf } from '../../../core/store/store-connection.ts';

const GIVEN = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('the endpoint of the tables', () => {
  it.each([
    'us-east-1',
    'ap-east-1',
    'eu-north-1',
    'mx-central-1',
    'us-gov-west-1',
    'cn-north-1',
    'eusc-de-east-1',
    'us-iso-east-1',
    'us-isob-east-1',
    'eu-isoe-west-1',
    'us-isof-south-1',
  ])('of %s is the one that the SDK resolves', (region) => {
    const { config } = new DynamoDBClient({ region });
    const { url } = config.endpointProvider({ Region: region, UseFIPS: false, UseDualStack: false });
    expect(new URL(endpointOf(region, {})).href).toBe(url.href);
  });

  it('is the one that the environment names, the variable of DynamoDB first', () => {
    const both = { AWS_ENDPOINT_URL: 'http://all:1', AWS_ENDPOINT_URL_DYNAMODB: 'http://tables:2' };
    expect(endpointOf('us-east-1', both)).toBe('http://tables:2');
    expect(endpointOf('us-east-1', { AWS_ENDPOINT_URL: 'http://all:1' })).toBe('http://all:1');
    expect(endpointOf('us-east-1', { AWS_ENDPOINT_URL_DYNAMODB: '' })).toMatch(/amazonaws/);
  });
});

describe('the connection of a function', () => {
  it('has the credentials that Lambda puts in its environment, with their token', () => {
    const { credentials, region } = connectionOf({ ...GIVEN, AWS_SESSION_TOKEN: 'token' });
    expect(region).toBe('eu-west-1');
    expect(credentials()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' });
  });

  it('says what is missing: the region at once, the credentials when they are needed', () => {
    expect(() => connectionOf({ ...GIVEN, AWS_REGION: undefined })).toThrow('AWS_REGION');
    const { credentials } = connectionOf({ AWS_REGION: 'eu-west-1' });
    expect(() => credentials()).toThrow('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
  });
});
