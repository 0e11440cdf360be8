import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../src/lib/public-address.ts'

/** The first and last address of each special network. */
const special = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255
  169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.192 192.0.0.255
  192.0.2.1 192.88.99.1 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.7
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1
  100::1 2001::1 2001:0:7f00:1:: 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2001:db8:ffff::1 2002:7f00:1::1
  2002:808:808::1 3fff::1 3fff:fff::1 5f00::1 4000::1 fc00::1 fd12:3456::1 fdff:ffff::1 fe80::1 febf::1 fec0::1
  ff02::1 ff0e::1`

const global = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  2001:200::1 2001:4860:4860::8888 2001:db7::1 2001:db9::1 2003::1 2606:4700::1111 2a00:1450::1 3ffe:ffff::1`

const words = (text: string) => text.trim().split(/\s+/)

describe('isPublicAddress', () => {
  test('Q5: refuses special addresses of both families', () => {
    expect(words(special).filter(isPublicAddress)).toEqual([])
  })

  test('accepts the addresses next to special networks', () => {
    expect(words(global).filter((address) => !isPublicAddress(address))).toEqual([])
  })
})
