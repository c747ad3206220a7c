import DefinitionCompiler
import DefinitionModel

/// Something that is done often, or with much.
struct HotPath: Sendable {
    let name: String
    /// To be counted together, so that what threads do between requests evens out.
    var times = 1
    /// For the first time, 0, or one after it: what changes something has other input then.
    let run: @Sendable (_ time: Int) async throws -> [UInt8]
    /// Whether what was run gave what it has to.
    let isRight: @Sendable (_ answer: [UInt8]) throws -> Bool
}

/// In the order in which they are run: what is stored then is the same each time.
func hotPaths(of source: [UInt8], in folder: String) async throws -> [HotPath] {
    let site = try await FilledSite(source, in: folder)
    return [
        HotPath(name: "compile a definition") { _ in
            let found = compile(SourceFile(name: "application.xml", bytes: source))
            return Array((found.definition?.digest ?? "").utf8)
        } isRight: {
            !$0.isEmpty
        },
        HotPath(name: "pull of nothing", times: 50) { _ in
            try await site.sync(site.pullOfNothing(by: .dispatcher), as: .dispatcher)
        } isRight: {
            try Answer($0).records == 0
        },
        pull("pull of 100 records, all fields", by: .dispatcher, from: site),
        pull("pull of 100 records, some fields", by: .technician, from: site),
        HotPath(name: "find by a relation, sorted", times: 10) { time in
            let customer = guid("customer", time)
            return try await site.find(#"filter={"eq":["customer","\#(customer)"]}&sort=name"#)
        } isRight: {
            try Answer($0).records == FilledSite.sitesOfCustomer
        },
        HotPath(name: "find by a text, sorted") { time in
            try await site.find(
                #"filter={"prefix":["name","Site \#(time + 1)"]}&sort=-name&limit=20"#)
        } isRight: {
            try Answer($0).records == 20
        },
        push("push of one change", of: 1, times: 20, to: site),
        push("push of 100 changes", of: 100, to: site),
        HotPath(name: "update of 100 records") { time in
            try await site.sync(site.updates(time: time), as: .dispatcher)
        } isRight: {
            try Answer($0).accepted == 100
        },
    ]
}

private func pull(_ name: String, by person: FilledSite.Person, from site: FilledSite) -> HotPath {
    HotPath(name: name, times: 5) { _ in
        try await site.sync(site.pullOfTheLast(by: person), as: person)
    } isRight: {
        try Answer($0).records == 100
    }
}

private func push(
    _ name: String, of changes: Int, times: Int = 1, to site: FilledSite
) -> HotPath {
    HotPath(name: name, times: times) { time in
        try await site.sync(site.creation(of: changes, time: time), as: .dispatcher)
    } isRight: {
        try Answer($0).accepted == changes
    }
}
