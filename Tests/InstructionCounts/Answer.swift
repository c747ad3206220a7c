import Foundation

/// The parts of an answer that are checked.
struct Answer {
    let accepted: Int
    let records: Int
    let cursor: String
    let more: Bool
    let text: String

    init(_ json: [UInt8]) throws {
        text = String(decoding: json, as: UTF8.self)
        let members = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] ?? [:]
        let outcomes = members["outcomes"] as? [[String: Any]] ?? []
        accepted = outcomes.count { $0["outcome"] as? String == "accepted" }
        records = (members["records"] as? [Any] ?? []).count
        cursor = members["cursor"] as? String ?? ""
        more = members["more"] as? Bool ?? false
    }
}

/// An incorrect answer, which invalidates the count.
struct WrongAnswer: Error, CustomStringConvertible {
    let description: String

    init(_ answer: Answer) { description = "an answer is wrong: \(answer.text)" }

    init(to path: HotPath) { description = "'\(path.name)' did not give what it has to" }
}
