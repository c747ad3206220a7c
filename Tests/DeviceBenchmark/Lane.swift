import Golden
import Waggle

/// A device with the records of one server, and another device that changes them.
struct Lane {
    private let database: Database
    private let other: Database
    private let sites: [MMDSite]

    /// `folder` contains the synced database.
    init(server: String, folder: String) async throws {
        database = try await device(of: server, in: folder)
        other = try await device(of: server, in: folder + "-other")
        try await database.sync()
        try await other.sync()
        sites = try await database.list(MMDSite.self)
    }

    /// Steps on one record, another one in each round.
    func measureOne(_ round: Int) async throws -> [(what: String, seconds: Double)] {
        let site = site(of: round)
        let find = database.find(MMDSite.self)
        return [
            try await timed("get by its guid") {
                try await database.get(MMDSite.self, guid: site.guid)
            },
            try await timed("find by a relation, with an index") {
                try await find.where(\.customer == site.customer).order(by: \.name).all()
            },
            try await timed("save") { try await database.save(changed(site, round)) },
            try await timed("sync of a change made here") { try await database.sync() },
            try await timedPull(of: site, round),
            try await timed("sync of nothing") { try await database.sync() },
        ]
    }

    /// Steps that read every record. They run after the steps on one record, because they evict
    /// those pages from the caches.
    func measureAll(_ round: Int) async throws -> [(what: String, seconds: Double)] {
        let site = site(of: round)
        let find = database.find(MMDSite.self)
        return [
            try await timed("find by a field, without an index") {
                try await find.where(\.accessCode == site.accessCode).all()
            },
            try await timed("find by the start of a text") {
                try await find.where(\.name, .hasPrefix(site.name)).all()
            },
            try await timed("find the first 20 in an order") {
                try await find.order(by: \.name).limit(to: 20).all()
            },
            try await timed("find within a text") {
                try await find.where(\.address, .contains(site.accessCode ?? "")).all()
            },
        ]
    }

    private func site(of round: Int) -> MMDSite { sites[round * 7919 % sites.count] }

    private func timedPull(
        of site: MMDSite, _ round: Int
    ) async throws -> (what: String, seconds: Double) {
        try await other.sync()
        try await other.save(changed(site, -1 - round))
        try await other.sync()
        return try await timed("sync of a change made elsewhere") { try await database.sync() }
    }

    private func changed(_ site: MMDSite, _ round: Int) -> MMDSite {
        var site = site
        site.address = "\(round) New Road"
        return site
    }

    private func timed(
        _ what: String, _ body: () async throws -> some Sendable
    ) async throws -> (what: String, seconds: Double) {
        (what, try await time(body))
    }
}
