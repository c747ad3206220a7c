import ChangeRules
import TestKit
import Testing

@testable import SyncEngine

@Suite("Records with much history are known")
struct HistoryGaugeTests {
    /// A record is not forgotten because others change.
    @Test func manyOtherRecordsMakeNothingForgotten() {
        let gauge = HistoryGauge(step: 1000)
        gauge.note("full", isFull: true)
        gauge.note(["large", "large", "large"].map(entry))
        for number in 0..<10_001 { gauge.note([entry("\(number)")]) }
        gauge.note(["large", "large", "full", "0"].map(entry))
        let batch = ["full", "large", "0", "10000", "none"].map { guid in
            Change(
                id: guid, action: .update, model: "Note", guid: guid, baseRevision: 1, fields: [:])
        }
        let state = gauge.state(of: batch)
        #expect(state.due == ["large"] && state.full == ["full"])
        gauge.note("large", isFull: false)
        #expect(gauge.state(of: batch).due.isEmpty)
    }

    /// It has 200 bytes and some; all of its kind are counted.
    private func entry(_ guid: String) -> HistoryEntry {
        .test(guid, revision: 1, kind: .discarded)
    }
}
