/**
 * Words of our trade that people use for the same thing. One line is one concept; an
 * expression of two words is written with "_". A change here changes what is indexed: raise VERSION.
 */
export const LEXICON_VERSION = 1;

const LINES = `
database db datastore postgres postgresql mysql mariadb sqlite persistence sql rdbms
table relation schema ddl
migration migrate schema_change upgrade_script alembic flyway
query select statement sql
index indexed indices
transaction commit_transaction atomic rollback isolation
cache caching memoize memoise redis memcached ttl
queue broker kafka rabbitmq sqs backlog messaging
event message publish subscribe pubsub
authentication auth login signin sign_in log_in sso single_sign credential oauth oidc
authorization authorisation permission access_control rbac acl role privilege entitled
token jwt bearer session_token apikey api_key
password passphrase secret credential
encrypt encryption cipher tls ssl https crypto
user account member customer client_account
test tests spec unit_test suite vitest jest pytest mocha testing
mock stub fake double spy
flaky unstable intermittent sporadic nondeterministic randomly unreliable
coverage covered
fixture sample seed testdata test_data
bug defect error fault issue problem failure broken breaks
crash panic segfault abort died dies
exception throw raise error
log logging logger trace
monitor monitoring observability metric telemetry prometheus grafana alert alarm
performance speed fast slow latency throughput quick sluggish lag
memory heap ram leak oom
timeout deadline expire hang hangs stuck
retry retries backoff reattempt
concurrency concurrent parallel race thread simultaneous
lock mutex semaphore
deploy deployment release rollout ship publish production go_live
environment env staging production
rollback revert undo back_out
ci pipeline continuous_integration github_action workflow jenkins build_server
build compile bundle transpile esbuild webpack vite
container docker image dockerfile podman
kubernetes k8s cluster helm pod orchestrat
server host backend daemon
client frontend browser
network connection socket http
proxy gateway nginx load_balancer reverse_proxy ingress
domain dns hostname
port listen listens
api endpoint route interface rest
graphql gql resolver
request call
response reply answer
json payload body
format formatter prettier style lint linter eslint formatting
indent indentation tab tabs spaces whitespace
name naming rename identifier convention
comment comments docstring documentation doc docs readme
typescript ts typing types
javascript js ecmascript
python py
package dependency library module npm pnpm yarn third_party
install setup bootstrap provision
version release semver tag
branch trunk main master
commit changeset revision
merge_request pull_request pr mr review code_review
merge squash rebase
repository repo monorepo codebase
workspace monorepo package
file document
folder directory dir path
config configuration settings preference option
flag toggle feature_flag switch experiment
constant literal magic_number
delete remove drop purge erase destroy
add create insert introduce new
update change modify edit alter
rename move
fetch get retrieve load read pull
save store persist write
send transmit emit deliver dispatch
email mail smtp newsletter
notification notify push alert
payment billing invoice charge checkout stripe
price cost money amount currency
cart basket order purchase
upload attachment import
download export
image picture photo avatar thumbnail
date time timestamp timezone utc clock
cron schedule scheduler nightly periodic recurring job
worker background_job task async background
limit quota cap maximum ceiling
rate_limit throttle throttling too_many
pagination page cursor paging
search find lookup
sort order ranking
validate validation check verify sanitize
parse parser decode
serialize serialise encode marshal
backup snapshot restore dump
privacy gdpr personal_data pii
security vulnerability cve exploit attack
inject injection xss
locale language i18n translation internationalization l10n localization
ui interface screen view component widget
css style stylesheet tailwind
color colour theme dark
button link
mobile phone ios android
accessibility a11y aria screen_reader
framework library
react vue svelte angular
refactor cleanup restructure tidy rewrite
legacy old deprecated obsolete
todo backlog
team people colleague
prefer preferred favour favor rather
avoid forbid forbidden never banned disallow prohibit
require must mandatory obligatory needed
default standard
choose chose pick picked select decide decided decision settle agreed
reason why because rationale
architecture design structure
hook callback listener handler
command cli terminal shell
script automation
variable env_var
state status
singleton global
immutable readonly frozen
nullable null undefined nil none optional
`;

export type Concepts = ReadonlyMap<string, readonly string[]>;

/** From a stem, or two stems with a blank between them, to the concepts it belongs to. */
export function conceptTable(stem: (word: string) => string): Concepts {
  const table = new Map<string, string[]>();
  for (const [number, line] of LINES.trim().split("\n").entries()) {
    const concept = `c${number}`;
    for (const word of line.split(" ")) {
      const key = word.split("_").map(stem).join(" ");
      table.set(key, [...(table.get(key) ?? []), concept]);
    }
  }
  return table;
}
