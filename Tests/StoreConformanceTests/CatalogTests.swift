import Administration
import SyncEngine
import TestKit
import Testing

@Suite("A store keeps every version")
struct CatalogTests {
    private func version(
        _ name: String, author: String = "ann", application: ApplicationName? = nil
    ) -> EnvironmentVersion {
        EnvironmentVersion(
            digest: "digest", fingerprint: name, source: Array("\(name)\r\n\u{FEFF}".utf8),
            deployedAt: Instant(milliseconds: 5), sequence: nil, author: author,
            application: application)
    }

    private func deploy(
        _ name: String, to environment: String = "test", by author: String = "",
        on store: any Store
    ) async throws -> EnvironmentState {
        try await store.deploy(to: environment) { _ in
            .success(
                NewVersion(
                    digest: "digest", fingerprint: name, source: Array(name.utf8),
                    deployedAt: Instant(milliseconds: 9), instance: "i",
                    adaptation: Adaptation(to: .test(), after: [], until: 0), author: author,
                    application: ApplicationName(vendor: "v", application: "a")))
        }.get().state
    }

    @Test(arguments: stores)
    func versionIsKeptByteForByte(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let application = ApplicationName(vendor: "vendor", application: "e\u{301}")
        let added = version("one", application: application)
        #expect(try await bench.store.addToCatalog(added) == 1)
        #expect(try await bench.store.catalogSource(1) == added.source)
        #expect(
            try await bench.store.catalogVersion(1)
                == CatalogVersion(
                    number: 1, application: application, digest: "digest", fingerprint: "one",
                    tag: "", note: "", author: "ann", addedAt: Instant(milliseconds: 5),
                    size: added.source.count))
        #expect(try await bench.store.catalogVersion(2) == nil)
        #expect(try await bench.store.catalogSource(2) == nil)
        #expect(try await bench.store.catalogSource(withFingerprint: "one") == added.source)
        #expect(try await bench.store.catalogSource(withFingerprint: "two") == nil)
        #expect(try await bench.store.catalogSource(withDigest: "digest") == added.source)
        #expect(try await bench.store.catalogSource(withDigest: "one") == nil)
    }

    @Test(arguments: stores)
    func deployedVersionIsAddedOnce(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let first = try await deploy("one", by: "ann", on: bench.store)
        _ = try await deploy("two", by: "ben", on: bench.store)
        _ = try await deploy("one", by: "cleo", on: bench.store)
        _ = try await deploy("two", to: "production", by: "cleo", on: bench.store)
        let catalog = try await bench.store.catalog(before: nil, limit: 10)
        #expect(catalog.map(\.number) == [2, 1])
        #expect(catalog.map(\.author) == ["ben", "ann"])
        #expect(catalog.map(\.application?.vendor) == ["v", "v"])
        let deployments = try await bench.store.deployments(of: first.id, before: nil, limit: 10)
        #expect(deployments.map(\.version) == [1, 2, 1])
        #expect(deployments.map(\.author) == ["cleo", "ben", "ann"])
        #expect(deployments.map(\.fingerprint) == ["one", "two", "one"])
    }

    @Test(arguments: stores)
    func versionsOfOtherBytesDiffer(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let changed = EnvironmentVersion(
            digest: "digest", fingerprint: "one", source: [1], deployedAt: .init(milliseconds: 6),
            sequence: nil)
        #expect(try await bench.store.addToCatalog(version("one")) == 1)
        #expect(try await bench.store.catalogVersion(equalTo: changed) == nil)
        #expect(try await bench.store.addToCatalog(changed) == 2)
        #expect(try await bench.store.catalogVersion(equalTo: changed)?.number == 2)
        #expect(try await bench.store.catalogVersion(equalTo: version("one"))?.number == 1)
        #expect(try await bench.store.addToCatalog(version("one", author: "ben")) == 1)
        #expect(try await bench.store.catalogVersion(1)?.author == "ann")
    }

    @Test(arguments: stores)
    func unknownApplicationIsFilledIn(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let application = ApplicationName(vendor: "v", application: "a")
        _ = try await bench.store.addToCatalog(version("one"))
        #expect(try await bench.store.catalogVersion(1)?.application == nil)
        _ = try await bench.store.addToCatalog(version("one", application: application))
        #expect(try await bench.store.catalogVersion(1)?.application == application)
    }

    @Test(arguments: stores)
    func tagNamesOneVersion(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        for name in ["one", "two"] { _ = try await bench.store.addToCatalog(version(name)) }
        #expect(try await bench.store.label(1, tag: "spring", note: "a\nb") == .changed)
        #expect(try await bench.store.label(2, tag: "spring", note: nil) == .tagTaken(number: 1))
        #expect(try await bench.store.label(3, tag: "autumn", note: nil) == .versionUnknown)
        #expect(try await bench.store.label(1, tag: nil, note: "c") == .changed)
        let tagged = try await bench.store.catalogVersion(tag: "spring")
        #expect(tagged?.number == 1 && tagged?.note == "c")
        #expect(try await bench.store.label(1, tag: "", note: nil) == .changed)
        #expect(try await bench.store.label(2, tag: "spring", note: nil) == .changed)
        #expect(try await bench.store.catalogVersion(tag: "") == nil)
    }

    @Test(arguments: stores)
    func listsHavePages(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        var id: EnvironmentID?
        for name in ["one", "two", "three"] { id = try await deploy(name, on: bench.store).id }
        #expect(try await bench.store.catalog(before: nil, limit: 2).map(\.number) == [3, 2])
        #expect(try await bench.store.catalog(before: 2, limit: 2).map(\.number) == [1])
        let environment = try #require(id)
        let page = try await bench.store.deployments(of: environment, before: nil, limit: 2)
        let last = try #require(page.last?.number)
        let next = try await bench.store.deployments(of: environment, before: last, limit: 2)
        #expect((page + next).map(\.version) == [3, 2, 1])
    }

    @Test(arguments: stores)
    func lockIsPartOfState(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let state = try await deploy("one", on: bench.store)
        #expect(!state.isLocked)
        try await bench.store.setLock(true, of: state.id)
        #expect(try await bench.store.environment(named: "test")?.isLocked == true)
        let refused = try await bench.store.deploy(to: "test") { found in
            .failure(found?.isLocked == true ? .locked : .overtaken)
        }
        #expect(refused == .failure(.locked))
        try await bench.store.setLock(false, of: state.id)
        #expect(try await bench.store.environment(named: "test")?.isLocked == false)
    }
}
