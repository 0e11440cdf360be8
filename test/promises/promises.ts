export interface Promised {
  promise: string
  /** Test files, or folders of them. */
  proofs: readonly string[]
}

/** What docs/promises.md claims, and the tests that verify each claim. */
export const promises: readonly Promised[] = [
  {
    promise: 'Acknowledged writes survive a killed process',
    proofs: ['test/durability/kill.proof.ts'],
  },
  {
    promise:
      'Acknowledged writes survive a power cut if the disk honours flushes. The proof models a disk that loses all unflushed data',
    proofs: ['test/durability/power.proof.ts', 'test/durability/first-start.proof.ts'],
  },
  {
    promise: 'A full or read-only disk stops writes, not reads, and no data is lost',
    proofs: ['test/durability/disk.proof.ts'],
  },
  {
    promise: 'A backup taken during writes contains every write acknowledged before it began',
    proofs: ['test/durability/backup.proof.ts'],
  },
  {
    promise: 'Paxlog refuses a damaged database and does not change it',
    proofs: ['test/db/corrupt.proof.ts'],
  },
  {
    promise: 'While the database is locked, writes return 503 with `Retry-After` within 10 seconds, and reads continue',
    proofs: ['test/http/locked-database.proof.ts'],
  },
  {
    promise:
      'Random requests to all APIs and pages never cause a 500, take more than five seconds or stop the server. The fuzzer is seeded',
    proofs: ['test/hostile/fuzz.proof.ts'],
  },
  {
    promise: 'Bodies, files and logs that are expensive to process do not stop a server with little memory',
    proofs: ['test/hostile/budgets.proof.ts', 'test/hostile/large-bodies.proof.ts', 'test/hostile/figures.proof.ts'],
  },
  {
    promise:
      'The cost of every text, list and file grows no faster than its size, and none blocks other requests ([budgets](contract.md#1711-resource-limits-updated))',
    proofs: ['test/hostile/growth.proof.ts', 'test/hostile/long-log.proof.ts'],
  },
  {
    promise: 'Imports of 50,000 rows fit into 256 MB, and other writes only wait for them',
    proofs: ['test/hostile/large-imports.long.proof.ts'],
  },
  {
    promise: 'Reading a hostile travel document ends after two seconds, and other users notice nothing',
    proofs: ['test/hostile/travel-documents.proof.ts', 'test/hostile/travel-documents.long.proof.ts'],
  },
  {
    promise: 'Slow clients are disconnected, and do not delay others',
    proofs: ['test/hostile/slow.proof.ts'],
  },
  {
    promise: 'Every operation is checked against a table of roles, targets and scopes',
    proofs: ['test/contract/authorization'],
  },
  {
    promise:
      'Passwords, API keys and tokens are never logged and are stored only as hashes. The OAuth signing key is in the database: protect your backups',
    proofs: ['test/walks/secrets.test.ts'],
  },
  {
    promise: 'The image runs read-only, without root and without network, in 256 MB',
    proofs: ['test/container/conditions.proof.ts', 'test/container/files.test.ts'],
  },
  {
    promise: 'Every command fits beside an idle server into 256 MB',
    proofs: ['test/container/commands.proof.ts'],
  },
  {
    promise:
      'An upgrade migrates the databases of all earlier releases, after an automatic backup. They work afterwards, also after `paxlog copy`',
    proofs: ['test/db/releases.test.ts', 'test/db/migrate.test.ts', 'test/postgres/copy.proof.ts'],
  },
  {
    promise: 'Pages work without JavaScript, by keyboard and on phones, and pass axe in both themes',
    proofs: ['test/browser/every-page.proof.ts'],
  },
  {
    promise: 'An open map takes less than 600 kB, loads nothing from other hosts, and works without WebGL',
    proofs: ['test/browser/map.proof.ts'],
  },
  {
    promise: 'The interactive map draws sea as sea and land as land at every zoom level, checked by pixels',
    proofs: ['test/browser/map-pixels.proof.ts'],
  },
  {
    promise:
      'With PostgreSQL, a locked table, a standby that does not confirm, and a network that drops packets cause 503s while `/health` is answered within a second',
    proofs: ['test/postgres/isolation.proof.ts'],
  },
  {
    promise:
      'Servers that share a PostgreSQL database never return data older than an acknowledged write, and use each code and key once',
    proofs: ['test/postgres/in-turns.proof.ts', 'test/postgres/versions.proof.ts', 'test/server/postgres.proof.ts'],
  },
  {
    promise:
      'A dump of PostgreSQL taken during writes can be restored, also to a point in time. Servers of the previous version keep working while a new one migrates',
    proofs: ['test/postgres/restore.proof.ts', 'test/postgres/rolling-upgrade.proof.ts'],
  },
]

export interface Measured {
  title: string
  /** What the tables of the command mean. */
  text: string
  command: string
}

/** Commands that print their measurements in Markdown. */
export const measurements: readonly Measured[] = [
  {
    title: 'Speed and memory with SQLite',
    text: 'Each request of the table is compared with bare Fastify, which sends the same bytes on the same machine. Targets are aims of the developers, and some are not met. The memory is that of a server without a limit, which collects garbage late. [How it is measured](../test/bench/README.md#what-is-measured).',
    command:
      'npm run bench -- --seconds 1 --rounds 3 --starts me flight flight-random list-100k list-1M list-all-1M search-new flight-numbers stats-written filter filter-text filter-all changes mcp home share create-1 create-16 update-16 export import-beside-reads cold not-modified',
  },
  {
    title: 'Speed with PostgreSQL',
    text: 'PostgreSQL, the servers and the client share the machine. One user has a log of 10 000 flights. Each request follows a write of the same log on another server, so no cache is valid. "1 ms" means that a proxy adds 1 ms to each round trip to PostgreSQL. [How it is measured](../test/bench/README.md#postgresql).',
    command: 'npm run bench:postgres -- requests health --flights 1000000 --users 1000 --requests 60',
  },
  {
    title: 'The interactive map',
    text: 'Time of the main thread per frame while a map of 5 000 routes is dragged, without the drawing, which Chromium does in software here.',
    command: 'npm run bench:map',
  },
]

/** What no command here measures. */
export const notMeasured: readonly string[] = [
  'Whether a real disk keeps what it reports as flushed, and a power cut of a real machine. The proof uses a model of a disk.',
  'A container engine, Kubernetes and the app stores of other platforms. The proofs create the conditions of a container with features of the kernel.',
  'musl, macOS and Windows. The release workflow runs all tests on amd64 and arm64 ([releasing](releasing.md)).',
  'WebKit, Firefox, screen readers and real phones. The tests use Chromium, axe and the accessibility tree.',
  'A real passkey or camera. The tests use a virtual authenticator and a recorded camera.',
  'A database that does not fit into memory, and PostgreSQL on another machine.',
  'Two servers on four free cores: `npm run bench:postgres -- creates` measures them where there are enough.',
  'Days of continuous load: `npm run soak -- --minutes 1440`.',
  'The full numbers of the durability tests and of the fuzzer, which take hours: `PAXLOG_SLOW_TESTS=1`.',
]
