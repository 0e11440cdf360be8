import { BlockList, isIPv4 } from 'node:net'

/** Special-purpose IPv4 addresses (RFC 6890 and its registry), multicast and reserved ones. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Everything outside of it is special: loopback, mapped IPv4, NAT64, unique local, link-local, multicast. */
const GLOBAL_IPV6 = ['2000::/3']

/** Protocol assignments with Teredo, documentation and 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

function blockList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const specialIpv4 = blockList(SPECIAL_IPV4, 'ipv4')
const globalIpv6 = blockList(GLOBAL_IPV6, 'ipv6')
const specialIpv6 = blockList(SPECIAL_IPV6, 'ipv6')

export const isPublicAddress = (address: string): boolean =>
  isIPv4(address)
    ? !specialIpv4.check(address, 'ipv4')
    : globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
