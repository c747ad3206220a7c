import Foundation
import JSON

/// Requests of clients of other products, each after the native request that does the same.
func wirePaths(of site: FilledSite, in folder: String) async throws -> [HotPath] {
    let served = try await ServedSite(site, in: folder)
    let cursors = try await site.addCustomers(1100, cursors: 6)
    return try pulls(site, cursors, served) + finds(served) + creations(site, served)
}

private let native = ["Authorization: Bearer \(FilledSite.Person.dispatcher.token)"]
private let azure = [
    "ZUMO-API-VERSION: 2.0.1", "X-ZUMO-FEATURES: OL,IP",
    "X-ZUMO-AUTH: \(FilledSite.Person.dispatcher.token)",
]
private let parse = [
    "X-Parse-Application-Id: \(ServedSite.environment)",
    "X-Parse-Session-Token: r:\(FilledSite.Person.dispatcher.token)",
]

/// Pulls of customers after the first of a cursor. Each run begins at another one, since pages that
/// many devices ask for are kept.
private func pulls(
    _ site: FilledSite, _ cursors: [String], _ served: ServedSite
) throws -> [HotPath] {
    let times = try timesOfRows(served)
    let first = times.count - 1100
    return [100, 1000].flatMap { count in
        [
            path("request for \(count) records", of: count, naming: "guid") { time in
                try served.answer(
                    "POST", "/v1/counts/sync", native,
                    site.pull(after: cursors[time], limit: count))
            },
            path("request for \(count) rows of Azure Mobile", of: count, naming: "version") {
                time in
                try served.answer(
                    "GET", rowsAfter(times[first + time - 1], atMost: count), azure)
            },
        ]
    }
}

private func finds(_ served: ServedSite) -> [HotPath] {
    [
        path("request for the sites of a customer", of: 10, naming: "guid", times: 10) { time in
            let filter = coded(#"{"eq":["customer","\#(guid("customer", time))"]}"#)
            return try served.answer(
                "GET", "/v1/counts/records/site?filter=\(filter)&sort=name", native)
        },
        path(
            "request for the objects of a pointer of Parse", of: 10, naming: "updatedAt", times: 10
        ) { time in
            let filter = coded(
                """
                {"customer":{"__type":"Pointer","className":"customer",\
                "objectId":"\(guid("customer", time))"}}
                """)
            return try served.answer("GET", "/parse/classes/site?where=\(filter)&order=name", parse)
        },
    ]
}

private func creations(_ site: FilledSite, _ served: ServedSite) -> [HotPath] {
    [
        path("request to create a record", of: 1, naming: "outcome", times: 20) { time in
            try served.answer(
                "POST", "/v1/counts/sync", native, site.creation(of: 1, time: 500 + time))
        },
        path("request to create an object of Parse", of: 1, naming: "createdAt", times: 20) {
            time in
            try served.answer("POST", "/parse/classes/customer", parse, object(time))
        },
    ]
}

/// A path whose answer has a member so many times.
private func path(
    _ name: String, of count: Int, naming member: String, times: Int = 5,
    _ run: @escaping @Sendable (_ time: Int) throws -> [UInt8]
) -> HotPath {
    HotPath(name: name, times: times) { time in
        try run(time)
    } isRight: { answer in
        String(decoding: answer, as: UTF8.self).ranges(of: "\"\(member)\":").count == count
    }
}

/// A step of an incremental pull of customers.
private func rowsAfter(_ time: String, atMost count: Int) -> String {
    let filter = coded("(updatedAt gt datetimeoffset'\(time)')")
    return "/tables/customer?%24filter=\(filter)&%24orderby=updatedAt&%24top=\(count)"
        + "&__includeDeleted=true"
}

/// The times of the last changes of all customers, in their order.
private func timesOfRows(_ served: ServedSite) throws -> [String] {
    var times = ["1970-01-01T00:00:00.000Z"]
    while true {
        let answer = try served.answer(
            "GET", rowsAfter(times[times.count - 1], atMost: 1000), azure)
        guard case .array(let rows) = try parseJSON(answer) else {
            throw ConnectionFailure(answer: String(decoding: answer, as: UTF8.self))
        }
        if rows.isEmpty { return Array(times.dropFirst()) }
        times += rows.compactMap { row in
            guard case .object(let row) = row, case .string(let time)? = row["updatedAt"] else {
                return nil
            }
            return time
        }
    }
}

/// A customer as a client of Parse writes it.
private func object(_ number: Int) -> [UInt8] {
    Array(
        """
        {"name":"Customer number \(number)","phone":"+49 30 \(number)",\
        "email":"object.\(number)@example.org","active":true,\
        "customerSince":{"__type":"Date","iso":"2023-11-14T22:13:20.000Z"},"creditLimit":1250.5,\
        "internalNotes":"Rings twice, and wants to be called the day before."}
        """.utf8)
}

private func coded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
}
