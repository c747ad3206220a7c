package import ChangeRules
import DefinitionModel
import JSON

extension StoredOutcome {
    package init(_ outcome: Outcome, of changeID: String, isTraceless: Bool = false) {
        self.init(changeID: changeID, text: outcome.storedText, isTraceless: isTraceless)
    }

    /// Reads a stored outcome. Throws `StoreError.unreadable` for invalid text.
    package func outcome() throws(StoreError) -> Outcome {
        let members = try StoredMembers(JSONText.value(text), of: "a stored outcome")
        let isOld = try StoredFormat.checkVersion(of: members.members) < 2
        let word = try members.text(isOld ? "outcome" : "kind")
        guard let kind = Outcome.Kind(rawValue: word) else {
            throw .unreadable("a stored outcome is of the unknown kind '\(word)'")
        }
        var outcome = Outcome(
            changeID: changeID, kind: kind, model: try members.text("model"),
            guid: try members.text("guid"), revision: try members.optionalInteger("revision"),
            overwrote: try members.optionalInteger("overwrote"),
            causes: try members.list("causes").map { json throws(StoreError) in
                let members = try StoredMembers(json, of: "a stored cause")
                return isOld ? try Cause(recorded: members) : try Cause(stored: members)
            })
        outcome.madeAt = try members.optionalInteger("madeAt")
        if members.members["results"] != nil { outcome.results = try members.object("results") }
        return outcome
    }
}

extension Outcome {
    /// The bytes of stored causes, except that the first is always stored.
    private static let maxCauseBytes = 4096
    /// The bytes of the stored results; larger ones are not stored.
    private static let maxResultBytes = 4096

    /// The outcome in version 2, with members in byte order. A repeated answer has the first causes
    /// only if there are many: a small change could otherwise leave much.
    fileprivate var storedText: String {
        var writer = JSONWriter()
        writer.piece("{")
        if !causes.isEmpty {
            writer.piece(#""causes":"#)
            writer.list(storedCauses) { $0.value($1) }
            writer.piece(",")
        }
        writer.piece(#""guid":"#)
        writer.string(guid)
        writer.piece(#","kind":"#)
        writer.string(kind.rawValue)
        if let madeAt {
            writer.piece(#","madeAt":"#)
            writer.integer(madeAt)
        }
        writer.piece(#","model":"#)
        writer.string(model)
        if let overwrote {
            writer.piece(#","overwrote":"#)
            writer.integer(overwrote)
        }
        if let text = resultsText {
            writer.piece(#","results":"#)
            writer.piece(written: text)
        }
        if let revision {
            writer.piece(#","revision":"#)
            writer.integer(revision)
        }
        writer.piece(#","version":"#)
        writer.integer(StoredFormat.version)
        writer.piece("}")
        return writer.text
    }

    /// Nil without results, and for large ones: a repeat is told the present values then.
    private var resultsText: String? {
        guard !results.isEmpty else { return nil }
        let text = JSONValue.object(results).text
        return text.utf8.count <= Self.maxResultBytes ? text : nil
    }

    private var storedCauses: [JSONValue] {
        var stored: [JSONValue] = []
        var bytes = 0
        for cause in causes {
            let value = cause.stored
            bytes += value.text.utf8.count
            guard stored.isEmpty || bytes <= Self.maxCauseBytes else { break }
            stored.append(value)
        }
        return stored
    }
}
