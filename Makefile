# appgroupd: `make run` plays the main job, `make test` runs every test. Both install what they need (scripts/setup).

SWIFT ?= swift
# Builds one program, and nothing that it does not need. The Swift runtime goes into the programs, and no symbols out of them:
# they start faster, need less memory, and run where no toolchain is.
# The last object of each program has the commit, so that only the link is repeated for another commit.
commit := $(shell git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null || echo unknown)
commit_object := $(CURDIR)/.build/commit-$(commit).o
program := $(SWIFT) build -c release --static-swift-stdlib -Xlinker --no-export-dynamic -Xlinker $(commit_object) --product
# The programs that are installed.
installed := appgroupd appgroupd-lab appgroupd-transcode
# The test targets and the suites that run under the thread sanitizer (CONTRIBUTING.md).
race_targets := $(shell scripts/race-suites targets)
races := $(shell scripts/race-suites filter)
ifeq ($(and $(race_targets),$(races)),)
$(error scripts/race-suites has failed)
endif

# Most builds of tests are clean builds. Whole-module compilation without an index needs a third of the processor time of
# incremental builds with `-O`. `make test-changed` builds incrementally.
tests := env CC="$${BUILD_PROFILE_CLANG:-$(CURDIR)/scripts/shared-clang}" $(SWIFT)
whole := $(addprefix -Xswiftc ,-whole-module-optimization -num-threads 2) --disable-index-store
plain := $(whole) -debug-info-format none --scratch-path .build/tests
sanitized := $(whole) $(addprefix -Xswiftc ,-gline-tables-only -Onone -DTHREAD_SANITIZER) --sanitize=thread \
	--scratch-path .build/tsan
# Runs the built tests. `swift test` would plan the build again.
bundle = env NO_COLOR=1 .build/$(1)/debug/appgroupdPackageTests.xctest --testing-library swift-testing --no-parallel

.PHONY: run build scenarios bench bench-warm bench-http corpus chaos fuzz fuzz-all soak test test-changed test-programs test-races test-others test-long check-addresses check-sandbox check-examples interop install format check-format setup setup-test clean

## The main job: real payloads, a local origin, good and bad media; a table with the results.
run: build
	.build/release/appgroupd lab demo --root ./var

## Set-up, and a release build of the programs that are installed.
build: setup $(commit_object)
	$(program) appgroupd
	$(program) appgroupd-lab
	$(program) appgroupd-transcode
	@for program in $(installed); do \
		{ readelf -dlW .build/release/$$program | grep -q BIND_NOW && \
			readelf -dlW .build/release/$$program | grep -q GNU_RELRO; } || { \
			echo "$$program: its table of functions stays writable: see Package.swift" >&2; exit 1; }; done

$(commit_object):
	@mkdir -p $(@D) && rm -f $(@D)/commit-*.o
	@echo 'const char agd_build_commit[] = "$(commit)";' | $(CC) -x c -c -o $@ -

## Plays each scenario 50 times, and those with random numbers 1,000 times, each time with another seed.
scenarios: build
	.build/release/appgroupd lab run --jobs 2 --repeat 50 fixtures/scenarios
	.build/release/appgroupd lab run --jobs 2 --repeat 1000 --filter random fixtures/scenarios

## What is promised about time, measured on this machine. The daemon, beside thumbor, the fetcher beside curl and the
## transcoder beside libvips, ffmpeg and ffmpegthumbnailer go to Benchmarks/RESULTS.md.
bench: build
	@scripts/setup bench
	$(program) fetch-bench
	$(program) media-bench
	.build/release/appgroupd lab bench late
	.build/release/appgroupd lab bench cancel
	.build/release/appgroupd lab bench text
	.build/release/fetch-bench --results .build/fetches.md
	$(CC) -O2 -Wall -Wextra -o .build/release/vips-thumbnail Benchmarks/media-bench/Peers/vips-thumbnail.c \
		$$(pkg-config --cflags --libs vips)
	.build/release/media-bench --results .build/media.md
	Benchmarks/daemon-bench/daemon-bench --results .build/daemon.md
	cat .build/daemon.md .build/fetches.md .build/media.md > Benchmarks/RESULTS.md

## Measures `warm` with 10,000 URLs over 20 hosts, and after a kill half-way: make bench-warm [URLS=10000].
bench-warm: build
	Benchmarks/warm-bench/warm-bench --urls $(or $(URLS),10000)

## Measures the HTTP API with texts: with and without a token over HTTP/1.1, and over HTTP/2 with TLS: make bench-http
## [RUNS=3].
bench-http: build
	@scripts/setup bench
	Benchmarks/http-bench/http-bench --runs $(or $(RUNS),3)

## Any folder of media through the workers, judged by Pillow: make corpus DIR=… [PROFILE=ios] [REPORT=FILE]
## [MUTATIONS=200, damaged copies of each type] [FINDINGS=FOLDER].
ifdef DIR
corpus: build
	@scripts/setup corpus
	$(program) media-corpus
	.build/release/media-corpus "$(DIR)" $(if $(PROFILE),--profile "$(PROFILE)") $(if $(REPORT),--report "$(REPORT)") \
		$(if $(MUTATIONS),--mutations "$(MUTATIONS)") $(if $(FINDINGS),--findings "$(FINDINGS)")
else
corpus:
	@echo "make corpus DIR=FOLDER [PROFILE=ios] [REPORT=FILE] [MUTATIONS=200] [FINDINGS=FOLDER]: every file below FOLDER, as it would be shown" >&2; exit 2
endif

## The attack from outside on the release programs: kills, power cuts, overload, large bodies, full disks, failing calls.
## Ends with 1 when a promise of docs/operate/reliability.md does not hold: make chaos [SECONDS=600, of each step]
## [RUNS=1, of each step] [ONLY=kills,powercut] [SEED=N] [REPORT=FILE].
chaos: build
	@scripts/setup chaos
	python3 -B Tests/Chaos --seconds $(or $(SECONDS),600) --runs $(or $(RUNS),1) $(if $(ONLY),--only "$(ONLY)") \
		$(if $(SEED),--seed $(SEED)) $(if $(REPORT),--report "$(REPORT)")

## Programs of others on the release programs: openapi-spec-validator and schemathesis on the description of the API, and
## nginx and Caddy in front of the daemon as docs/operate/listen.md configures them, and Synapse that calls the push
## gateway: make interop [EXAMPLES=50, random calls of each kind] [ONLY=nginx,caddy].
interop: build
	@scripts/setup interop
	.build/interop/bin/python3 -B Tests/Interop --examples $(or $(EXAMPLES),50) $(if $(ONLY),--only "$(ONLY)")

## libFuzzer with the address sanitizer on the parsers of foreign bytes (FuzzTesting/README.md): make fuzz lists the
## targets, make fuzz TARGET=jpeg [SECONDS=60] runs one, and make fuzz-all [SECONDS=60] runs each for this time.
fuzz: setup
	@SWIFT="$(SWIFT)" scripts/fuzz $(if $(TARGET),"$(TARGET)" $(or $(SECONDS),60))

fuzz-all: setup
	@SWIFT="$(SWIFT)" scripts/fuzz all $(or $(SECONDS),60)

## The leak census over 10,000 requests to a running daemon.
soak: setup-test
	APPGROUPD_LONG=1 $(tests) test --enable-swift-testing $(plain) --no-parallel --filter ServeLeakTests

## Every test: those that may race under the thread sanitizer, and the others without it.
test: setup-test
	APPGROUPD_EXCLUDED="$$(scripts/race-suites excluded plain)" $(tests) build --build-tests $(plain)
	@$(MAKE) --jobs=2 --keep-going test-programs test-others || \
		{ scripts/tested --failures .build/program-tests.log .build/other-tests.log; exit 1; }
	$(MAKE) test-races

# The tests of one process run one after the other: several start processes, keep real deadlines, and count what this
# process holds. Those that start the programs mostly wait, so the others run at the same time in a second process.
test-programs:
	scripts/tested .build/program-tests.log $(call bundle,tests) --filter '^SystemTests\.'

test-others:
	scripts/tested .build/other-tests.log $(call bundle,tests) --skip '^SystemTests\.' --skip '$(races)'

# Only the targets of these tests are built, and without optimization: the sanitizer reports races that are none in optimized
# code.
test-races: setup-test
	APPGROUPD_EXCLUDED="$$(scripts/race-suites excluded races)" APPGROUPD_TESTS="$(race_targets)" \
		$(tests) build --build-tests $(sanitized)
	TSAN_OPTIONS="halt_on_error=1 suppressions=$(CURDIR)/scripts/sanitizer-suppressions" \
		scripts/tested .build/races.log $(call bundle,tsan) --filter '$(races)'

## The suites of the targets that differ from a commit, without SystemTests and the sanitizer: make test-changed
## [BASE=COMMIT, by default the last one] (scripts/changed-tests).
test-changed: setup-test
	@targets="$$(scripts/changed-tests $(BASE))" || exit; \
	if [ -z "$$targets" ]; then echo "test-changed: no target with tests differs"; exit; fi; \
	echo "test-changed: $$targets"; \
	APPGROUPD_TESTS="$$targets" $(tests) test --enable-swift-testing --disable-index-store --scratch-path .build/changed --no-parallel

## Every test, with all inputs and rounds: the random tests and the matrices of `make test` are samples of these.
test-long:
	APPGROUPD_LONG=1 TEST_SECONDS=7200 $(MAKE) test

## A million random addresses, judged by Python's ipaddress and IANA's registries too.
check-addresses: setup-test
	mkdir -p .build
	scripts/address-oracle --count 1000000 --seed $$(date +%s) > .build/addresses.csv
	APPGROUPD_ADDRESSES=$(CURDIR)/.build/addresses.csv $(tests) test --enable-swift-testing $(plain) --no-parallel --filter AddressOracleTests

## The sandbox of the workers, attacked: every way out, bombs, media that name other files, and the unit's own filter.
check-sandbox: setup-test
	$(tests) test --enable-swift-testing $(plain) --no-parallel \
		--filter '(Escape|EscapedWorker|MediaBomb|NoInputOutput|UnitFilter|Sandbox)(Plain)?Tests'

PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
PROGRAMS ?= .build/release

## Installs what `make build` made: programs, manual, completions, the systemd units, and a configuration if there is none.
install:
	@test -x $(PROGRAMS)/appgroupd || { echo "$(PROGRAMS)/appgroupd is not there: make build comes first" >&2; exit 2; }
	@scripts/setup install
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -s -m 755 $(addprefix $(PROGRAMS)/,$(installed)) "$(DESTDIR)$(PREFIX)/bin"
	scripts/make-manual $(PROGRAMS)/appgroupd "$(DESTDIR)$(PREFIX)/share/man/man1"
	set -e; for place in bash:bash-completion/completions/appgroupd zsh:zsh/site-functions/_appgroupd \
		fish:fish/vendor_completions.d/appgroupd.fish; do \
		path="$(DESTDIR)$(PREFIX)/share/$${place#*:}"; install -d "$${path%/*}"; \
		$(PROGRAMS)/appgroupd --generate-completion-script "$${place%%:*}" > "$$path"; done
	install -d "$(DESTDIR)$(PREFIX)/lib/systemd/system"
	sed 's|/usr/bin/|$(PREFIX)/bin/|g' packaging/appgroupd.service > \
		"$(DESTDIR)$(PREFIX)/lib/systemd/system/appgroupd.service"
	install -m 644 packaging/appgroupd.socket "$(DESTDIR)$(PREFIX)/lib/systemd/system"
	test -e "$(DESTDIR)$(SYSCONFDIR)/appgroupd/appgroupd.yaml" || \
		install -D -m 640 packaging/appgroupd.yaml "$(DESTDIR)$(SYSCONFDIR)/appgroupd/appgroupd.yaml"

## The console examples of README.md and docs/ (scripts/check-examples), with the programs of `make build`.
check-examples:
	@scripts/setup examples
	scripts/check-examples

format: setup
	$(SWIFT) format --in-place --recursive --parallel Benchmarks FuzzTesting Sources Tests Package.swift

## The format of the code, the prose of comments, test names and documents (scripts/check-prose), the links of the
## documents (scripts/check-links), and the direction of the dependencies between targets (scripts/check-targets).
check-format: setup
	@scripts/setup format
	$(SWIFT) format lint --strict --recursive --parallel Benchmarks FuzzTesting Sources Tests Package.swift
	scripts/check-prose
	scripts/check-links
	scripts/check-targets

setup:
	@scripts/setup

setup-test:
	@scripts/setup test

clean:
	$(SWIFT) package clean
	rm -rf .build/changed .build/reference .build/tests .build/tsan var
