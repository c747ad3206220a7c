import Foundation
import JSON
import Testing

/// The servers that the pages are measured with.
extension ConsoleFigures {
    /// The draft has a thousand models, and so has the environment.
    func withThousandModels() async throws -> [Figure] {
        let text = largeDefinition(models: 1000)
        let server = try await RunningServer(
            site: try Site(definition: text), processes: 1, arguments: ["--metrics-port", "0"])
        var figures: [Figure] = []
        try await ConsoleVisit.run(on: server) { visit in
            try await visit.begin(with: text)
            let last = ["in/test/records?model=model1000", "xml?version=1"]
            for page in BrowserTests.pages + last {
                figures.append(try await measure(page, with: "1,000 models", visit))
            }
        }
        return figures
    }

    /// A hundred thousand records, and a thousand of everything else.
    func withManyRecords() async throws -> [Figure] {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        try await site.importFilms(100_000)
        let guid = try await site.sql("SELECT min(guid) FROM records")
        let first = try await RunningServer(site: site, processes: 1)
        try await first.disagree(on: guid, a: 4, b: 5)
        #expect(await first.stop() == 0)
        try await site.addThousandOfEach()
        let server = try await RunningServer(
            site: site, processes: 1, arguments: ["--metrics-port", "0"])
        var figures: [Figure] = []
        try await ConsoleVisit.run(on: server) { visit in
            for (page, load) in Self.pages(showing: guid) {
                figures.append(try await measure(page, with: load, visit))
            }
        }
        return figures
    }

    /// Pages of an environment and of the server with what they show, and some of the ways to look
    /// at records.
    private static func pages(showing guid: String) -> [(page: String, load: String)] {
        let records = "in/test/records?model=ConflictsEntity"
        let prefix = "%7B%22prefix%22%3A%5B%22title%22%2C%22Film%20999%22%5D%7D"
        let loads = [
            "records": "100,000 records", "overview": "100,000 records",
            "conflicts": "1,000 conflicts", "users": "1,002 users", "devices": "1,000 devices",
            "files": "1,000 files", "notifications": "1,000 notifications",
            "deployments": "1,000 deployments, 1,001 versions", "operators": "1,001 operators",
            "tokens": "1,000 tokens", "activity": "1,000 acts", "explain": "1,002 users",
            "phones": "1,002 users, 100,000 records", "metrics": "all metrics",
            "versions": "1,001 versions",
        ]
        let all = BrowserTests.environmentPages + BrowserTests.serverPages + ["versions"]
        let shown: [(page: String, load: String)] = all.map { page in
            (page, loads[page.replacing("in/test/", with: "")] ?? "100,000 records")
        }
        let besides: [(page: String, load: String)] = [
            ("\(records)&guid=\(guid)", "100,000 records, one open"),
            ("\(records)&filter=\(prefix)", "100,000 records, filtered"),
            ("\(records)&sort=-score", "100,000 records, sorted"),
            ("in/test/conflicts?of=ConflictsEntity&guid=\(guid)", "1,000 conflicts, one open"),
            ("in/test/explain?model=ConflictsEntity&guid=\(guid)", "100,000 records, one of them"),
        ]
        return shown + besides
    }
}

extension Site {
    fileprivate func importFilms(_ count: Int) async throws {
        // Other scores than those about which two disagree.
        let rows = (1...count).map { "Film \($0),\(1 + $0 % 3)\n" }.joined()
        let imported = try await Tool.run(
            [
                "import", "-", "--format", "csv", "--model", "ConflictsEntity", "--owner", "a",
                "--database", database,
            ], input: "title,score\n" + rows, in: folder)
        #expect(imported.exitCode == 0, "\(imported.errors)")
    }

    /// Users with devices, push tokens, conflicts like the one that there is, notifications, files,
    /// operators, tokens, acts, versions and deployments. Into SQLite, and without a server: they
    /// are there to be looked at.
    fileprivate func addThousandOfEach() async throws {
        try #require(isOfFile)
        try await sql(
            """
            CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (
                SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n;
            CREATE TEMP TABLE clock AS
                SELECT 1000 * CAST(strftime('%s', 'now') AS INTEGER) AS now;
            """ + people + conflictsLikeTheFirst + ofEnvironment + ofServer)
    }
}

private let people = """
    INSERT INTO users (environment, login, group_name, mail, is_admin, password_hash)
        SELECT environment, 'user' || (1000 + i), group_name, 'user' || i || '@example.org', 0,
            password_hash
        FROM users, n WHERE login = 'a';
    INSERT INTO sessions (token_hash, environment, login, device_category, device_identifier,
            expires_at)
        SELECT randomblob(32), environment, login, 'mobile', 'phone of ' || login, now + 86400000
        FROM users, clock WHERE login LIKE 'user%';
    INSERT INTO devices (environment, login, device_identifier, signed_in_at)
        SELECT environment, login, 'phone of ' || login, now
        FROM users, clock WHERE login LIKE 'user%';
    INSERT INTO push_tokens (environment, device_identifier, type, login, device_category, token,
            at)
        SELECT environment, 'phone of ' || login, 'apns', login, 'mobile', 'token', now
        FROM users, clock WHERE login LIKE 'user%';

    """

private let conflictsLikeTheFirst = """
    UPDATE records SET is_conflicted = 1, revision = (SELECT revision FROM conflicts)
        WHERE place IN (
            SELECT place FROM records WHERE NOT is_conflicted ORDER BY guid LIMIT 999);
    INSERT INTO conflicts (environment, guid, revision, is_open, sides, login, device_identifier)
        SELECT records.environment, records.guid, first.revision, 1, sides, first.login,
            device_identifier
        FROM records, conflicts AS first WHERE is_conflicted AND records.guid <> first.guid;

    """

private let ofEnvironment = """
    INSERT INTO notifications (environment, number, name, sender, at, body)
        SELECT environments.id, i, 'n' || i, 'a', now - 1000 * i, '{"text":"News ' || i || '"}'
        FROM environments, n, clock;
    UPDATE environments SET last_notification = 1000;
    INSERT INTO files (environment, guid, login, at, is_named, sha256, size, is_complete)
        SELECT environments.id, printf('%08x-0000-4000-8000-000000000000', i), 'a', now, 0,
            printf('%064x', i), 1000, 1
        FROM environments, n, clock;
    INSERT INTO catalog (vendor, application, digest, fingerprint, source, note, author, added_at)
        SELECT vendor, application, digest, fingerprint, source, 'note ' || i, 'ann', now
        FROM catalog, n, clock WHERE number = 1;
    INSERT INTO versions (environment, digest, source, deployed_at, fingerprint, author,
            catalog_number)
        SELECT environment, digest, source, now - 1000 * (1001 - i), fingerprint, 'ann', 1 + i % 2
        FROM versions, n, clock WHERE id = 1;
    UPDATE environments SET version = (SELECT max(id) FROM versions);

    """

private let ofServer = """
    INSERT INTO operators (name, scope, password_hash, created_at)
        SELECT 'operator' || i, 'viewer', password_hash, created_at
        FROM operators, n WHERE name = 'ann';
    INSERT INTO operator_tokens (token_hash, name, scope, author, created_at, expires_at)
        SELECT randomblob(32), 'ci' || i, 'deployer', 'ann', now, now + 86400000 FROM n, clock;
    INSERT INTO activities (at, actor, origin, act, environment_name, target, before_text,
            after_text)
        SELECT now - 1000 * (1000 - i), 'ann', '127.0.0.1', 'addUser', 'test', 'user' || i, '',
            '{"group":"users"}'
        FROM n, clock;
    """

/// An application with models of two fields each.
func largeDefinition(models: Int) -> String {
    let all = (1...models).map { number in
        """
            <model name="model\(number)">
              <fields>
                <field name="title" type="TEXT" required="true">
                  <credentials>
                    <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL" \
        updateAllowed="ALL"/>
                  </credentials>
                </field>
                <field name="score" type="INTEGER" defaultValue="1"/>
              </fields>
              <credentials>
                <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL" \
        updateAllowed="ALL" deleteAllowed="ALL" resolveConflictAllowed="true"/>
              </credentials>
            </model>
        """
    }
    return """
        <application xmlns="http://schema.mobeelizer.com/application" application="large"
                     vendor="own" conflictMode="MANUAL">
          <devices><device name="mobile"/></devices>
          <groups><group name="users"/></groups>
          <roles><role group="users" device="mobile"/></roles>
          <models>
        \(all.joined(separator: "\n"))
          </models>
        </application>
        """
}
