SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.SILENT:
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build release run app test test-postgres test-openapi check crash outside \
	demo fuzz bench bench-growth bench-console \
	bench-limits bench-peers bench-compare bench-compile bench-sync bench-device \
	bench-foreign test-pulls \
	bench-original bench-postgres attack instructions lint format docs package test-package clean \
	test-console test-https known-app known-definition

# Each recipe is one script.
$(if $(filter oneshell,$(.FEATURES)),,$(error this make is too old, use GNU make 4: on macOS \
	'brew install make', then 'gmake run'))

# Each of these can be given on the command line: make run PORT=8081
A ?=
APP ?= Conflicts
B ?=
BENCH ?=
CONFIGURATION ?= debug
DEFINITION ?= Definitions/$(APP)/application.xml
# Named like the folder of the definition: a database belongs to one application.
DATABASE ?= .waggle/$(shell cd "$$(dirname '$(DEFINITION)')" 2>/dev/null && basename "$$PWD").sqlite
ENVIRONMENT ?= test
# If it is empty, the first group of the definition.
GROUP ?=
HOST ?= 127.0.0.1
KILLS ?= 100
LOGIN ?= a
MODULE ?=
PORT ?= 8080
RECORD ?=
RUNS ?= 20000
SECONDS ?=
SERVE ?=

# The variables of the environment that a build gets. When any other one differs, such as PATH in
# another terminal, SwiftPM plans anew, and then builds the compiler of models and every app anew.
PASSED := HOME TERM LANG http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY \
	SSL_CERT_FILE GIT_SSL_CAINFO SSH_AUTH_SOCK DEVELOPER_DIR SDKROOT TOOLCHAINS PKG_CONFIG_PATH \
	SWIFTLY_HOME_DIR SWIFTLY_BIN_DIR
SWIFT_FOLDER := $(patsubst %/,%,$(dir $(shell command -v swift)))
PLACES := $(SWIFT_FOLDER):/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/homebrew/bin
# A warning stops a build of ours: see Package.swift.
CLEAN := env -i PATH='$(PLACES)' WAGGLE_WARNINGS_AS_ERRORS=yes \
	$(foreach name,$(PASSED),$(if $($(name)),$(name)="$$$(name)"))
# Spares a build the compiler of models, which apps and tests need: see Package.swift.
PRODUCTS_ONLY := $(CLEAN) WAGGLE_PRODUCTS_ONLY=yes
# A module may import only what it declares.
CHECKED_OPTIONS := --explicit-target-dependency-import-check error
# Tests import internal declarations. Without what a debugger needs, the compiler takes a fifth less
# time for the largest module.
TESTED_RELEASE_OPTIONS := --configuration release $(CHECKED_OPTIONS) -Xswiftc -enable-testing
TESTED_RELEASE_OPTIONS := $(TESTED_RELEASE_OPTIONS) -debug-info-format none
ifeq ($(CONFIGURATION),release)
BUILD_OPTIONS := $(TESTED_RELEASE_OPTIONS)
else
BUILD_OPTIONS := --configuration $(CONFIGURATION) $(CHECKED_OPTIONS)
endif
# Builds the program that the plugin runs for apps and tests, from modules that are built anyway.
# Otherwise SwiftPM compiles these 14 modules and Mustache for the plugin, twice in a clean clone.
BUILD_WRITER := $(PRODUCTS_ONLY) swift build $(BUILD_OPTIONS) --product ModelWriter
WRITER := WAGGLE_MODEL_WRITER='$(abspath .build/$(CONFIGURATION)/ModelWriter)'
RELEASE_WRITER := WAGGLE_MODEL_WRITER='$(abspath .build/release/ModelWriter)'
BUILD := $(BUILD_WRITER); $(CLEAN) $(WRITER) swift build $(BUILD_OPTIONS)
# With Swift's own libraries in the program: calls of them are shorter, and it runs where Swift is
# not installed.
RELEASE_OPTIONS := --configuration release --static-swift-stdlib
RELEASE := $(CLEAN) swift build $(RELEASE_OPTIONS)
# End-to-end tests serve with the tool that users get. It also takes a third of the time of the one
# that is built with the tests, most of which the argument parser takes to check its commands.
BUILD_SERVED := $(PRODUCTS_ONLY) swift build $(RELEASE_OPTIONS) --product waggle
SERVED := export WAGGLE_TOOL='$(abspath .build/release/waggle)'
# SwiftPM lets nobody else build while it runs tests, so it is left out where they are a program.
ifeq ($(shell uname),Linux)
RUN_TESTS := .build/$(CONFIGURATION)/wagglePackageTests.xctest --testing-library swift-testing
else
RUN_TESTS := swift test --configuration $(CONFIGURATION) --skip-build
endif
# Programs that only some goals need, and the package that has each. 'setup' runs once for all that
# are named.
GOALS := $(MAKECMDGOALS)
# Goals that try or measure Waggle, or prepare a machine for all goals.
TRYING := setup test test-postgres test-console test-https check crash bench bench-% attack \
	instructions
TOOLS := $(if $(filter $(TRYING),$(GOALS)),initdb:postgresql sqlite3:sqlite3) \
	$(if $(filter $(TRYING),$(GOALS)),xmllint:libxml2-utils) \
	$(if $(filter $(TRYING) run demo docs test-package,$(GOALS)),jq:jq) \
	$(if $(filter $(TRYING) run demo outside test-openapi,$(GOALS)),curl:curl) \
	$(if $(filter $(TRYING) run docs fuzz outside test-openapi package test-package,$(GOALS)),\
		python3:python3) \
	$(if $(filter instructions,$(GOALS)),valgrind:valgrind) \
	$(if $(filter instructions package test-package,$(GOALS)),strip:binutils) \
	$(if $(filter package test-package,$(GOALS)),dpkg-shlibdeps:dpkg-dev) \
	$(if $(filter test-package,$(GOALS)),debootstrap:debootstrap) \
	$(if $(filter %-console,$(GOALS)),chromium:chromium) \
	$(if $(filter test-console,$(GOALS)),pip3:python3-pip) \
	$(if $(filter test-https,$(GOALS)),nginx:nginx-light openssl:openssl) \
	$(if $(filter test-https,$(GOALS)),promtool:prometheus caddy:caddy) \
	$(if $(filter test,$(GOALS)),node:nodejs tsc:node-typescript)
WAGGLE := .build/$(CONFIGURATION)/waggle
APPS := $(sort $(notdir $(patsubst %/application.xml,%,$(wildcard Definitions/*/application.xml))))
# The files of a system package beside the tool, and the scripts that make it.
PACKAGE := Sources/CommandLineTool/Package
SAMPLE_APPS := $(sort $(notdir $(patsubst %/App,%,$(wildcard Definitions/*/App))))
ENVIRONMENT_OPTIONS = --database '$(DATABASE)' --environment '$(ENVIRONMENT)'

# Tests that are the same whatever the database is.
WITHOUT_DATABASE := [.](Browser|CheckCommand|CommandLine|ConsoleName|Damage|NewApp|NewCommand
WITHOUT_DATABASE := $(WITHOUT_DATABASE)|ReportCommand|Schema|Settings|SimulateCommand|Version)Tests
# Tests of requests, connections, documents, notifications, commands and sample apps, of the
# dialects of foreign wires, and of clients of former versions. StoreConformanceTests tries on each
# database what these ask of it, so 'make test' runs them on SQLite only.
ON_SQLITE_ONLY := [.](AdminAccess|AdminExchange|AdminRecord|AzureAddress|AzureChange|AzureDialect
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|AzureHiddenValue|AzureList|AzurePull|AzureQueue|AzureRelation
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|AzureRequest|AzureSignIn|AzureStory|AzureToolkit|BadChange
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|BadRequest|ClientVersion|ConnectionLimit|Continue|CrossOrigin
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|DeployCheck|Designing|DeviceCrash|DocumentedOperation
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|DocumentedUsage|EarlierDevice|FairShare|Find|ForeignAddress
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|ForeignImport|ForeignRights|HTTPS|HeldConnection|HiddenField
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|HiddenWorldWire|HistoryLimit|IDToken|ImportCommand
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|ImportSchemaCommand|Invitation|Limit|LimitsPage|LoginName
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|LongPush|Mail|MalformedRequest|MemoryBudget|Newcomer
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|NotificationWire|Operator|OriginalBadRequest|OriginalConflict
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|OriginalDamage|OriginalFidelity|OriginalFile|OriginalInstance
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|OriginalLibrary|OriginalPush|OriginalRefusal|OriginalRights
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|OriginalSignIn|OriginalSync|OriginalUser|OwnAccount|Paging
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|ParseAccount|ParseFile|ParseFind|ParseID|ParseInstallation
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|ParseJSON|ParseObject|ParsePlace|ParseProfile|ParseRelation
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|ParseRelationEdit|ParseRequiredColumn|ParseReservedName
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|ParseSchema|ParseTutorial|ParseUser|Picture|Progress
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|ProviderDevice|ProviderFailure|Readme|RefusalFormat
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|RequestIdentifier|SampleApp|ServerMetrics|Sight|SignInFlood
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|SlowBody|StatedLimit|StoredLimit|StreamedBody|Trace|Tutorial
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|TutorialFault|TypeScriptClient|Upgrade|UserCommand|UserLimit
ON_SQLITE_ONLY := $(ON_SQLITE_ONLY)|Widening|Workbench)Tests

# Ours to format. The generator wrote Tests/Golden as it is to be.
SWIFT_FILES = find Package.swift Sources Templates Definitions Tests -name '*.swift' \
	-not -path 'Tests/Golden/*' -not -path 'Tests/OutsidePackage/Sources/Kept/*' \
	-not -path '*/.build/*' -print0

help: ## Say what can be made
	echo 'make run     starts a server with an example; make test runs the tests. All goals:'
	sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' Makefile |
		awk -F '|' '{ printf "  %-15s %s\n", $$1, $$2 }'
	echo 'Variables, with what they are now:'
	echo '  A=$(A) APP=$(APP) B=$(B) BENCH=$(BENCH) CONFIGURATION=$(CONFIGURATION)'
	echo '  DEFINITION=$(DEFINITION)'
	echo '  DATABASE=$(DATABASE) ENVIRONMENT=$(ENVIRONMENT) GROUP=$(GROUP)'
	echo '  HOST=$(HOST) KILLS=$(KILLS) LOGIN=$(LOGIN) MODULE=$(MODULE) PORT=$(PORT) RUNS=$(RUNS)'
	echo '  SECONDS=$(SECONDS) SERVE=$(SERVE)'

setup: ## Install the system packages that are missing (Debian, Ubuntu)
	if ! command -v swift >/dev/null; then
		echo 'swift was not found: install Swift 6.3, https://www.swift.org/install' >&2
		exit 1
	fi
	missing=()
	command -v pkg-config >/dev/null || missing+=(pkg-config)
	pkg-config --exists libxml-2.0 2>/dev/null || missing+=(libxml2-dev)
	pkg-config --exists libzip 2>/dev/null || missing+=(libzip-dev)
	pkg-config --exists libpq 2>/dev/null || missing+=(libpq-dev)
	pkg-config --exists libcurl 2>/dev/null || missing+=(libcurl4-openssl-dev)
	pkg-config --exists libcrypto 2>/dev/null || missing+=(libssl-dev)
	pkg-config --exists libsodium 2>/dev/null || missing+=(libsodium-dev)
	pkg-config --exists sqlite3 2>/dev/null || missing+=(libsqlite3-dev)
	# PostgreSQL keeps the programs of its server beside the path.
	is_there() {
		! command -v "$$1" >/dev/null || return 0
		[[ $$1 == initdb ]] || return 1
		[[ -x "$$(pg_config --bindir 2>/dev/null)/initdb" ]] ||
			ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
	}
	for tool in $(TOOLS); do
		is_there "$${tool%:*}" || missing+=("$${tool#*:}")
	done
	(( $${#missing[@]} )) || exit 0
	if ! command -v apt-get >/dev/null; then
		echo "missing here: $${missing[*]} (names of Debian's packages)" >&2
		echo 'help: install them with the package manager of this system' >&2
		exit 1
	fi
	echo "installing $${missing[*]}"
	as_root=(env DEBIAN_FRONTEND=noninteractive)
	(( EUID == 0 )) || as_root=(sudo "$${as_root[@]}")
	"$${as_root[@]}" apt-get update -qq
	"$${as_root[@]}" apt-get install -qq -y --no-install-recommends "$${missing[@]}"

# Shell functions that spare calls of SwiftPM. It takes seconds to find that nothing changed; this
# compares the contents of all that a product is made from with those that it was last built from.
define BUILT
sources() {
	{
		printf '%s\n' '$(SWIFT_FOLDER)' '$(BUILD_OPTIONS)'
		find Package.swift Sources Templates "$$@" -type f \
			-not -path '*/Documentation.docc/*' -print0 | sort -z | xargs -0 cksum
	} | cksum
}
# product, then the folders beside those of the tool that it is made from
is_built() {
	local product=.build/$(CONFIGURATION)/$$1
	[[ -x $$product && -f $$product.sources && ! $$product -nt $$product.sources &&
		! Package.resolved -nt $$product.sources ]] &&
		[[ "$$(sources "$${@:2}")" == "$$(<"$$product.sources")" ]]
}
remember() { sources "$${@:2}" >.build/$(CONFIGURATION)/$$1.sources; }
say_duration() {
	if [[ -x .build/$(CONFIGURATION)/$$1 ]]; then
		echo "make: building $$1 with what changed: from 20 seconds to 2 minutes"
	elif [[ -d .build/$(CONFIGURATION) ]]; then
		echo "make: building $$1: a few minutes, since part of it is not built yet"
	else
		echo "make: building $$1, for the first time: 3 to 6 minutes on two cores, and time to"
		echo 'make: download its packages. Afterwards it starts in seconds.'
	fi
}
endef

build: setup ## Build the tool, .build/debug/waggle
	$(BUILT)
	if is_built waggle; then
		echo 'make: waggle is built, and nothing changed since'
		exit 0
	fi
	say_duration waggle
	now=$$(sources)
	$(PRODUCTS_ONLY) swift build $(BUILD_OPTIONS) --product waggle
	# Files that were edited meanwhile may not have been built.
	[[ "$$(sources)" != "$$now" ]] || remember waggle

release: setup ## Build the tool for machines that serve, .build/release/waggle
	$(BUILD_SERVED)

package: release ## Make a Debian package and an archive of the tool, in .build/package
	python3 -B $(PACKAGE)/package.py .build/release/waggle .build/package

test-package: package ## Install, upgrade, downgrade and purge the package in a bare Debian 12
	bash Tests/Packaging/run.sh .build/package

known-definition:
	[[ ! -f '$(DEFINITION)' ]] || exit 0
	if [[ '$(DEFINITION)' == 'Definitions/$(APP)/application.xml' ]]; then
		echo "make: there is no APP '$(APP)': choose one of $(APPS)" >&2
	else
		echo "make: there is no file '$(DEFINITION)': name an application.xml; there are" >&2
		printf '      %s\n' Definitions/*/application.xml >&2
	fi
	exit 2

known-app:
	[[ ' $(SAMPLE_APPS) ' != *' $(APP) '* ]] || exit 0
	echo "make: there is no app '$(APP)': choose one of $(SAMPLE_APPS)" >&2
	exit 2

run: known-definition build ## Serve DEFINITION at http://HOST:PORT, with the users a and b
	mkdir -p "$$(dirname '$(DATABASE)')"
	$(WAGGLE) deploy '$(DEFINITION)' $(ENVIRONMENT_OPTIONS)
	group='$(GROUP)'
	[[ -n $$group ]] || group=$$($(WAGGLE) compile '$(DEFINITION)' | jq -r '.groups[0] // ""')
	if [[ -z $$group ]]; then
		echo 'make: the definition has no group yet, so there are no users' >&2
	fi
	users=$$($(WAGGLE) user list $(ENVIRONMENT_OPTIONS) --format json)
	for login in $${group:+a b}; do
		! jq -e --arg login "$$login" 'any(..; .login? == $$login)' <<<"$$users" >/dev/null ||
			continue
		echo "make: the user $$login gets the group $$group"
		echo "user$$login" | $(WAGGLE) user add "$$login" --group "$$group" --password-stdin \
			--min-password-length 5 $(ENVIRONMENT_OPTIONS)
	done
	cat <<'TEXT'

	  serving $(DEFINITION) at http://$(HOST):$(PORT), until Ctrl-C
	  users:    a (password usera) and b (password userb)
	  data:     $(DATABASE), environment $(ENVIRONMENT)
	  to try:   in another terminal, paste the lines of README.md, from 'The wire' on; or sign in:
	            curl -s http://$(HOST):$(PORT)/v1/$(ENVIRONMENT)/session \
	              -H 'Content-Type: application/json' -d \
	              '{"login":"a","password":"usera","deviceCategory":"mobile","deviceIdentifier":"1"}'
	  to watch: make demo plays two clients that sync and conflict, with a server of their own
	  console:  open the address that the server prints next, and design an application
	  to know what else the tool does: $(WAGGLE) --help

	TEXT
	exec $(WAGGLE) serve '$(DEFINITION)' $(ENVIRONMENT_OPTIONS) --edit-file \
		--host $(HOST) --port $(PORT)

app: known-app setup ## Start the sample app APP as LOGIN, beside 'make run' with its definition
	$(BUILT)
	if ! is_built $(APP)App Definitions/$(APP); then
		say_duration $(APP)App
		now=$$(sources Definitions/$(APP))
		$(BUILD) --product $(APP)App
		[[ "$$(sources Definitions/$(APP))" != "$$now" ]] || remember $(APP)App Definitions/$(APP)
	fi
	folder=.waggle/$(APP)-$(LOGIN)
	mkdir -p .waggle
	arguments=(http://$(HOST):$(PORT) "$$folder")
	[[ $(APP) == Conflicts ]] || arguments+=('$(LOGIN)' 'user$(LOGIN)')
	exec .build/$(CONFIGURATION)/$(APP)App "$${arguments[@]}"

# With CONFIGURATION=release all modules are optimized and built once, for the tests and for the
# tool that serves them. Without it, an edit is built sooner.
test: setup ## Run the tests, on SQLite and on PostgreSQL
	$(BUILD) --build-tests
	served=
	stores=
	trap 'kill $$served $$stores 2>/dev/null || true' EXIT
	if [[ $(CONFIGURATION) != release ]]; then
		# It keeps one core busy, and most tests need no server.
		echo 'make: building the tool for end-to-end tests, meanwhile'
		$(BUILD_SERVED) >.build/served.log 2>&1 &
		served=$$!
	fi
	# A test that fails keeps no others from running.
	failed=
	run_tests() {
		local began=$$SECONDS
		$(RUN_TESTS) "$$@" || failed=yes
		echo "make: these tests took $$((SECONDS - began)) s"
	}
	# Otherwise all tests of a run begin at once. Each may have databases or servers of its own: some
	# would wait beyond limits, or find no file left to open.
	export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$((4 * $$(getconf _NPROCESSORS_ONLN)))
	# They mostly wait for disks and databases.
	echo 'make: running the tests of the stores, meanwhile'
	$(RUN_TESTS) --filter '^(StoreConformance|PostgresStore)Tests[.]' >.build/stores.log 2>&1 &
	stores=$$!
	# The long ones apart, or they keep the others waiting.
	run_tests --skip '^((Device)?Simulation|Waggle|StoreConformance|PostgresStore|EndToEnd)Tests[.]'
	run_tests --filter '^(Device)?SimulationTests[.]'
	run_tests --filter '^WaggleTests[.]'
	wait $$stores || {
		cat .build/stores.log
		failed=yes
	}
	stores=
	tail -n 1 .build/stores.log
	[[ -z $$served ]] || wait $$served || {
		cat .build/served.log
		exit 1
	}
	served=
	$(SERVED)
	# The console has its own goal, 'test-console': it needs a browser.
	run_tests --filter '^EndToEndTests[.]' --skip '[.]BrowserTests'
	# And on PostgreSQL, where each server is two processes.
	export WAGGLE_TEST_DATABASE=postgres WAGGLE_TEST_SERVERS=2
	run_tests --filter '^EndToEndTests[.]' --skip '$(WITHOUT_DATABASE)' \
		--skip '$(ON_SQLITE_ONLY)'
	[[ -z $$failed ]] || {
		echo 'make: tests failed, look for ✘ above' >&2
		exit 1
	}

test-postgres: setup ## Run every test that uses a database on PostgreSQL
	$(BUILD) --build-tests
	$(BUILD_SERVED)
	export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$((4 * $$(getconf _NPROCESSORS_ONLN)))
	$(SERVED)
	export WAGGLE_TEST_DATABASE=postgres WAGGLE_TEST_SERVERS=2
	swift test --configuration $(CONFIGURATION) --skip-build --filter '^EndToEndTests[.]' \
		--skip '$(WITHOUT_DATABASE)'

test-pulls: setup ## Pull 10,000 rows of Azure Mobile beside writers, with the loop of each client
	$(BUILD) --build-tests
	WAGGLE_PULL_ROWS=10000 swift test --configuration $(CONFIGURATION) --skip-build \
		--filter '^EndToEndTests[.]AzurePullTests'

# Judges the accessibility of pages. It is downloaded, not kept here.
AXE := axe_playwright_python-0.1.8-py3-none-any.whl

test-console: setup ## Test the console in Chromium; pictures of its pages go to .build/console
	if [[ ! -f .build/axe/axe.min.js ]]; then
		mkdir -p .build/axe
		pip3 download -q --no-deps --only-binary :all: --dest .build/axe \
			axe-playwright-python==0.1.8
		python3 -m zipfile -e .build/axe/$(AXE) .build/axe/wheel
		cp .build/axe/wheel/axe_playwright_python/axe.min.js .build/axe
	fi
	$(BUILD) --build-tests
	# A browser takes much memory.
	export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=3
	swift test --configuration $(CONFIGURATION) --skip-build --filter '^EndToEndTests[.]BrowserTests'

bench-console: release ## Measure how soon pages of the console are usable
	$(BUILD) --build-tests
	WAGGLE_CONSOLE_FIGURES=yes WAGGLE_TOOL='$(abspath .build/release/waggle)' swift test \
		--configuration $(CONFIGURATION) --skip-build --filter '^EndToEndTests[.]ConsoleFigures' |
		grep -E '^\||Test run with'

test-https: setup ## Test HTTPS through nginx, and check the files in Operations
	promtool check rules Operations/alerts.yml
	promtool test rules Tests/Operations/alerts.yml
	promtool check config Operations/prometheus.yml
	caddy validate --adapter caddyfile --config Operations/Caddyfile
	$(BUILD) --build-tests
	swift test --configuration $(CONFIGURATION) --skip-build \
		--filter '^EndToEndTests[.](HTTPS|ServerMetrics)Tests'

check: setup ## Build MODULE and its tests without the rest, and run them
	if [[ -z '$(MODULE)' || ! -d 'Tests/$(MODULE)Tests' ]]; then
		echo "name a module that has tests: make check MODULE=AccessPolicy" >&2
		exit 2
	fi
	export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$((4 * $$(getconf _NPROCESSORS_ONLN)))
	$(BUILD_WRITER)
	# The end-to-end tests start programs that they are not linked with.
	$(CLEAN) $(WRITER) WAGGLE_TESTS_OF='$(MODULE)' swift build $(BUILD_OPTIONS) \
		$(if $(filter EndToEnd,$(MODULE)),--build-tests,--product wagglePackageTests)
	WAGGLE_TESTS_OF='$(MODULE)' swift test --configuration $(CONFIGURATION) --skip-build

crash: setup ## Kill servers and devices KILLS times, and cut connections at every byte
	$(BUILD) --build-tests
	export WAGGLE_KILLS=$(KILLS) WAGGLE_CUT_STRIDE=1
	swift test --configuration $(CONFIGURATION) --skip-build \
		--filter 'CrashTests|aConnectionThatIsCutAnywhere'

test-openapi: build ## Validate the OpenAPI documents, and compare answers to generated requests
	WAGGLE='$(abspath $(WAGGLE))' bash Tests/OpenAPI/run.sh

outside: build ## Build and run packages that use plugins and library as others do
	WAGGLE='$(abspath $(WAGGLE))' bash Tests/OutsidePackage/run.sh

demo: build ## Play the stories of the product against a server of their own
	WAGGLE='$(abspath $(WAGGLE))' bash Tests/EndToEndTests/demo.sh
	MAKE='$(MAKE_COMMAND)' CONFIGURATION='$(CONFIGURATION)' bash Tests/EndToEndTests/runs.sh

fuzz: build ## Feed compiler, questions, requests, rows and uploads RUNS inputs, or for SECONDS
	for target in compiler questions requests rows uploads; do
		bash Tests/Fuzzing/run.sh $$target \
			$(if $(SECONDS),-max_total_time=$(SECONDS),-runs=$(RUNS))
	done

bench: release ## Measure what clients do, into a report; BENCH="--smoke" gives it options
	python3 Tests/Benchmarks/bench.py --waggle .build/release/waggle $(BENCH)

bench-growth: release ## Measure how costs grow with what is stored, into a report
	python3 Tests/Benchmarks/bench.py --waggle .build/release/waggle --growth \
		--out .build/bench/growth $(BENCH)

bench-limits: release ## Measure what clients do beside what it cannot exceed, into a report
	$(RELEASE) --product LimitBenchmark
	python3 Tests/Benchmarks/bench.py --waggle .build/release/waggle --limits \
		--limit-benchmark .build/release/LimitBenchmark --out .build/bench/limits $(BENCH)

bench-peers: release ## Measure Waggle beside Kinto and etcd, which it gets, into a report
	python3 Tests/Benchmarks/bench.py --waggle .build/release/waggle --peers \
		--out .build/bench/peers $(BENCH)

bench-compare: ## Compare the reports A and B, each a report.json
	if [[ -z '$(A)' || -z '$(B)' ]]; then
		echo "name two reports: make bench-compare A=before.json B=after.json" >&2
		exit 2
	fi
	python3 Tests/Benchmarks/bench.py compare '$(A)' '$(B)' --html .build/bench/compared.html $(BENCH)

bench-compile: release ## Measure the compiler: growth, and against xmllint
	python3 Tests/Benchmarks/compile.py --waggle .build/release/waggle

bench-sync: release ## Measure the server: shared commits, memory, growth
	python3 Tests/Benchmarks/sync.py --waggle .build/release/waggle

bench-original: release ## Measure the server with original Mobeelizer clients: memory
	python3 Tests/Benchmarks/original.py --waggle .build/release/waggle

bench-foreign: release ## Measure clients of Azure Mobile and Parse beside native ones
	python3 Tests/Benchmarks/foreign.py --waggle .build/release/waggle $(BENCH)

bench-postgres: release ## Measure servers on PostgreSQL: processes, and two ways to number changes
	python3 Tests/Benchmarks/postgres.py --waggle .build/release/waggle

attack: release ## Attack a server as one user, and measure; ATTACKS=--postgres on PostgreSQL
	python3 Tests/Benchmarks/attack.py --waggle .build/release/waggle $(ATTACKS)

bench-device: release ## Measure the library on a device: first sync, finding, saving, growth
	$(RELEASE) --product DeviceBenchmark
	python3 Tests/Benchmarks/device.py --waggle .build/release/waggle \
		--device .build/release/DeviceBenchmark

instructions: setup ## Count what hot paths take, against the record; RECORD=yes makes a new one
	# As it is built with the tests, so that CI builds nothing again.
	$(PRODUCTS_ONLY) swift build $(TESTED_RELEASE_OPTIONS) --product ModelWriter
	$(CLEAN) $(RELEASE_WRITER) swift build $(TESTED_RELEASE_OPTIONS) --product InstructionCounts
	python3 Tests/InstructionCounts/count.py $(if $(RECORD),--record)

lint: ## Say which files are not formatted as .swift-format wants
	$(SWIFT_FILES) | xargs -0 swift format lint --strict --parallel

format: ## Format every file, and write links of the articles so that other readers follow them
	$(SWIFT_FILES) | xargs -0 swift format --in-place --parallel
	python3 -B Sources/Waggle/Site/doc_links.py --portable

docs: setup ## Write articles and public API as a web site, .build/documentation
	$(PRODUCTS_ONLY) swift build $(BUILD_OPTIONS) --target Waggle
	rm -rf .build/Waggle.docc .build/symbols
	cp -R Sources/Waggle/Documentation.docc .build/Waggle.docc
	cp Sources/DefinitionCompiler/Pages/*.md .build/Waggle.docc
	python3 -B Sources/Waggle/Site/doc_links.py .build/Waggle.docc
	mkdir -p .build/symbols
	swift symbolgraph-extract -module-name Waggle -minimum-access-level public \
		-skip-inherited-docs -skip-synthesized-members \
		-target "$$(swift -print-target-info | jq -r .target.triple)" \
		-I .build/$(CONFIGURATION)/Modules -I .build/checkouts/GRDB.swift/Sources/GRDBSQLite \
		-I Sources/CLibCurl -I Sources/CLibCrypto -I Sources/CLibSodium \
		-output-dir .build/symbols
	docc convert .build/Waggle.docc --additional-symbol-graph-dir .build/symbols \
		--warnings-as-errors --fallback-display-name Waggle --fallback-bundle-identifier waggle \
		--transform-for-static-hosting --output-path .build/documentation
	cp Sources/Waggle/Site/index.html .build/documentation/index.html
	[[ -f .build/documentation/documentation/waggle/index.html ]]
	echo 'make: the site is in .build/documentation, for the root of any web server'
	if [[ -z '$(SERVE)' ]]; then
		echo "make: 'make docs SERVE=yes' serves it on this machine"
		exit 0
	fi
	echo 'make: serving it until Ctrl-C at the address that comes next'
	exec python3 -u -m http.server --bind 127.0.0.1 --directory .build/documentation 0

clean: ## Remove what was built. The data in .waggle stays
	rm -rf .build
