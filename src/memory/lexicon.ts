/**
 * Words of our trade that people use for the same thing. One line is one concept; an
 * expression of two words is written with "_". A change here changes what is indexed: raise VERSION.
 */
export const LEXICON_VERSION = 1;

const LINES = `
database db datastore postgres postgresql mysql mariadb sqlite sql rdbms mongo mongodb dynamo
persist persistent persistence durable survive store stored storage save saved keep
table relation schema ddl structure
column field attribute property
row record entry tuple
migration migrate schema_change alembic flyway
query select statement
replica read_copy copy mirror standby follower
transaction atomic serializable isolation
index indexed indices
partition partitioned shard sharded split
cache caching cached memoize redis memcached ttl
queue broker kafka rabbitmq sqs messaging
event message publish subscribe pubsub
webhook callback subscriber hook listener
login signin sign_in log_in logged_in authenticate authentication sso single_sign oauth oidc openid
two_factor 2fa mfa second_factor otp totp
authorization authorisation permission access_control rbac acl role privilege allowed
token jwt bearer apikey api_key
session cookie
password passphrase credential secret vault
expire expiry expires valid lifetime ttl deadline
encrypt encryption cipher tls mtls ssl https crypto certificate
user account member customer
employee engineer developer colleague team
test tests spec specs suite vitest jest pytest mocha testing
integration end_end e2e browser_test
mock stub fake double spy
flaky unstable intermittent sporadic nondeterministic unreliable quarantine
coverage covered
fixture sample seed factory factories test_data
snapshot golden
bug defect error fault issue problem failure broken break
crash panic segfault abort outage downtime go_down went_down incident
exception throw throws raise
log logging logger logs trace verbose debug
monitor monitoring observability metric telemetry prometheus grafana
alert alarm page pager wake woken oncall on_call
performance speed fast slow sluggish latency lag throughput quick p95 p99 response_time
budget goal target objective slo
ram heap leak oom
timeout hang hangs stuck
retry retries retrying retried backoff reattempt
concurrency concurrent parallel race simultaneous
lock mutex semaphore
deploy deployment rollout ship shipping live go_live
release publish publication
production prod live
environment staging preprod
rollback revert undo roll_back back_out restore
ci pipeline continuous_integration github_action jenkins
runner agent machine build_server
build compile bundle transpile esbuild webpack
approve approval agree consent sign_off confirm second_person
freeze frozen holiday
container docker image dockerfile podman
kubernetes k8s cluster helm pod manifest
server host backend
daemon service_account machine_account service
frontend client_side browser
internet egress outgoing external outbound
network connection connect socket reach
proxy gateway nginx load_balancer ingress
domain dns hostname
port listen listens
api endpoint rest
graphql gql resolver
rpc grpc connect
response reply replies answer
json payload body
format formatter prettier layout formatting
lint linter eslint style
indent indentation tab tabs spaces whitespace
name named naming rename identifier
id identifier ulid uuid key
public visible exposed outside
comment comments docstring
documentation doc docs readme wiki
typescript ts typing
javascript js ecmascript
python py
package dependency library npm pnpm yarn third_party
package_manager pnpm npm yarn
install postinstall install_script setup bootstrap provision
version semver tag
incompatible breaking breaking_change
branch trunk main master
commit changeset revision
pull_request merge_request pr mr
review reviewer look_at
merge squash rebase
repository repo monorepo codebase workspace
file files document
folder directory dir path
config configuration settings option
flag toggle feature_flag feature_toggle
delete deleted deletion remove removed drop purge erase erased destroy
add create insert introduce
change alter modify edit update altered
launch run start execute trigger triggered
email mail smtp mailbox bounce
provider vendor supplier
payment billing charge charged stripe pay
invoice bill
refund reimburse money_back give_back giving_money
price prices cost money amount currency cent cents
tax vat
round rounding rounded
checkout purchase order buy basket cart
upload uploaded attachment
export download
image picture photo avatar thumbnail
svg vector icon sprite graphics
date calendar day
time timestamp clock
timezone time_zone utc
cron schedule scheduled scheduler periodic recurring
night nightly
job task worker background background_job
limit quota cap capped maximum ceiling
rate_limit throttle throttling
pagination paging paginate cursor offset
search find lookup
validate validation validated check checked verify sanitise sanitize
parse parser decode
serialize serialise encode
backup backups dump restore
privacy gdpr personal pii personal_data
security vulnerability cve exploit
xss inject injection inline_script script_tag
i18n translation translate locale localization catalogue
text texts message messages
ui screen view widget dashboard overview
css stylesheet style
color colors colour colours hex
theme dark
keyboard a11y accessibility aria screen_reader
form input
mobile phone ios android
framework react vue svelte angular
refactor cleanup restructure tidy
legacy old deprecated obsolete
prefer preferred favour favor rather
forbid forbidden never banned disallow prohibit rejected
require required mandatory obligatory
choose chose chosen pick picked decide decided decision settle settles agreed
reason rationale because
architecture design
command cli terminal
variable env_var environment_variable environment
null undefined nil optional
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
