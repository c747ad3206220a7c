import DefinitionCompiler
import DefinitionModel

/// A frequent or expensive operation.
struct HotPath: Sendable {
    let name: String
    /// The number of runs to count together, which averages out background threads.
    var times = 1
    /// `time` is the number of the run, from 0; runs that write need distinct input.
    let run: @Sendable (_ time: Int) async throws -> [UInt8]
    /// Whether the result is correct.
    let isRight: @Sendable (_ answer: [UInt8]) throws -> Bool
}

/// Paths that are made when those before them are done.
typealias HotPaths = @Sendable () async throws -> [HotPath]

/// In the order of execution, so that stored data is the same in each run. The server of the last
/// paths does not run beside the others: its threads would be counted.
func hotPaths(of source: [UInt8], in folder: String) async throws -> [HotPaths] {
    let site = try await FilledSite(source, in: folder)
    return [{ enginePaths(of: source, site) }, { try await wirePaths(of: site, in: folder) }]
}

private func enginePaths(of source: [UInt8], _ site: FilledSite) -> [HotPath] {
    [
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
