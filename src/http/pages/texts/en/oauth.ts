import { plural } from '../message.ts'

export const oauth = {
  title: 'Connect {client}',
  heading: 'Connect <name>{client}</name>?',
  introduction:
    'An application that calls itself <name>{client}</name> wants to access your flight log. The name is <strong>unverified</strong>: anyone can choose it.',
  introductionWithHost:
    'An application that calls itself <name>{client}</name> wants to access your flight log. <strong>Only its host is verified.</strong> Anyone can choose the name and the website.',
  verifiedHost: 'Host (verified)',
  website: 'Website (unverified)',
  redirectsTo: 'Redirects to',
  uses: 'Uses',
  signedInAs: 'Signed in as',
  loopback: 'This redirects to a program on your own computer. Continue only if you started it.',
  loopbackWithHost:
    'This redirects to a program on your own computer. Any program on your computer can claim to be this application. Continue only if you started it.',
  plainHttp: 'This instance uses plain HTTP, so the connection is not encrypted.',
  permissions: 'Permissions',
  choose: 'Clear what you do not want to allow.',
  revokes: 'Permissions that you granted before and do not select now are revoked when you approve.',
  notGrantable: 'It also asked for permissions that your role cannot grant: {scopes}.',
  grantedBefore: 'granted before',
  grantMore: 'Grant more than it asked for',
  approve: 'Approve',
  deny: 'Deny',
  switchUser: 'Not {name}? Sign in as another user',
  failed: 'Not connected',
  failedHeading: 'The application was not connected',
  returnTo: 'Return to {host}',
  tooManyRequests: plural({
    one: 'Too many requests; try again in {count} second.',
    other: 'Too many requests; try again in {count} seconds.',
  }),
} as const
