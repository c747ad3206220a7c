import Administration
import JSON
import Testing

/// Drafts, as the server has them.
extension ConsoleVisit {
    /// Goes on with a draft that has this text.
    func begin(with text: String) async throws {
        try await write("large", text, as: try await server.adminSession("ann"))
        try await browser.open("/console/")
        try await person.press("large", in: "Drafts")
        try await browser.wait(
            for: "['✓ checked', 'to consider'].some((text) => shows(text, 'Draft'))")
    }

    /// The revision and the text of a draft.
    func draft(
        _ name: String, as caller: AdminCredentials
    ) async throws -> (revision: Int64, text: String) {
        let answer = try await server.admin("GET", "drafts/\(name)", as: caller)
        #expect(answer.status == 200, "\(answer.text)")
        guard case .integer(let revision) = try answer.member("revision"),
            case .string(let text) = try answer.member("xml")
        else { throw Unexpected("no draft: \(answer.text)") }
        return (revision, text)
    }

    /// Writes a draft whose revision is `base`; zero for a new one.
    func write(
        _ name: String, _ text: String, over base: Int64 = 0, as caller: AdminCredentials
    ) async throws {
        let written = try await server.admin(
            "PUT", "drafts/\(name)", JSONValue.object(["xml": .string(text)]).text,
            as: base == 0 ? caller : caller.with("If-Match", "\"\(base)\""))
        #expect(written.status == 200, "\(written.text)")
    }

    /// Changes a draft as somebody else does, who sees its present text.
    func change(
        _ name: String, _ old: String, to new: String, as caller: AdminCredentials
    ) async throws {
        let (revision, text) = try await draft(name, as: caller)
        try await write(name, try text.changing(old, to: new), over: revision, as: caller)
    }
}
