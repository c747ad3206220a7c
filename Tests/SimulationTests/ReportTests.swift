import DefinitionModel
import JSON
import MemoryStore
import Simulation
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@Suite("Reports of a simulation")
struct ReportTests {
    private static let task = "00000000-0000-4000-8000-000000000001"

    /// A user is offline while another one deletes a task.
    private static let steps: [Step] = [
        .sync(client: 0, changes: 50, limit: 50, fault: .answered),
        .sync(client: 1, changes: 2, limit: 3, fault: .answerLost),
        .edit(client: 0, Draft(.create, model: "Task", guid: task, fields: ["title": "roof"])),
        .sync(client: 0, changes: 50, limit: 50, fault: .answered),
        .sync(client: 1, changes: 50, limit: 50, fault: .sentTwice),
        .edit(
            client: 0,
            Draft(.update, model: "Task", guid: task, fields: ["title": "roof", "stars": 3])),
        .server(.restart),
        .sync(client: 0, changes: 50, limit: 50, fault: .answered),
        .edit(client: 1, Draft(.delete, model: "Task", guid: task)),
        .sync(client: 1, changes: 50, limit: 50, fault: .answered),
        .server(.clock(seconds: -3600)),
    ]

    @Test func violatedInvariantIsReportedWithTheShortestHistory() async throws {
        let mutant = try #require(Mutant.all.first)
        let scenario = try #require(
            Scenario(try yard(.manual), clients: 3, steps: 10, mutation: mutant.mutation))
        let whole = await replay(Self.steps, in: scenario, seed: 7)
        let short = await shrink(whole, in: scenario)
        #expect(
            report(of: short, from: whole, in: scenario, again: "waggle simulate yard.xml") == """
                seed 7 violates the guarantee that values are overwritten unseen only as the \
                conflict mode specifies

                the shortest history with this violation, 6 of 10 steps:

                  1. anna syncs
                  2. anna creates Task 0.1 with {title: "roof"}
                  3. anna syncs
                  4. ben syncs
                  5. anna updates Task 0.1 with {stars: 3}
                  6. ben deletes Task 0.1
                     then all devices sync until nothing changes

                found: change 1 of ben, delete of Task 0.1, was accepted and did not know \
                revision 2, by anna
                again: waggle simulate yard.xml

                """)
    }

    @Test func invariantsThatHoldAreReportedByTheirCounts() async throws {
        let scenario = try #require(Scenario(try yard(.manual), clients: 3, steps: 10))
        let history = await replay(Self.steps, in: scenario, seed: 7)
        #expect(history.violation == nil)
        #expect(
            summary(of: history.counts, in: scenario, seeds: 7...7) == """
                no violation in 1 history of 10 steps by 3 devices, seeds 7 to 7
                  changes    3, 2 accepted, 1 conflicted
                  repeats    0, each with the same outcome
                  requests   16, of which 2 failed in transit
                  records    10 sent, 0 dropped, 0 purged
                  resyncs    0

                """)
    }

    /// The description of each step and fault, in order.
    @Test(arguments: [
        (Step.arrival, "the oldest delayed request arrives"),
        (.answer(client: 0), "anna gets the delayed answer"),
        (
            .sync(client: 1, changes: 1, limit: 2, fault: .requestDelayed),
            "ben syncs, 1 changes at most, 2 records at most: the request is delayed"
        ),
        (.browse(client: 0, guid: task, model: "Task"), "anna reads the history of Task 0.1"),
        (.resolveAll(client: 0, choosing: .theirs), "anna resolves every conflict for 'theirs'"),
        (.clientClock(client: 2, seconds: 5), "the clock of anna-2 is set by 5 s"),
        (.server(.regroup(login: "ben", group: "guests")), "ben moves to the group guests"),
        (.server(.deploy(variant: 2)), "variant 2 of the definition is deployed"),
        (
            .server(.reassign(guid: task, model: "Task", owner: "ben", group: "guests")),
            "Task 0.1 is given to ben, group guests"
        ),
        (.server(.sweep(seconds: 60)), "records deleted 60 s ago are purged"),
        (
            .foreign(client: 0, .restoration(guid: task, model: "Task")),
            "anna restores Task 0.1 by another wire"
        ),
        (
            .foreign(client: 0, .element(3, guid: task, model: "Task", field: "tags")),
            "anna puts 3 into 'tags' of Task 0.1 by another wire"
        ),
        (
            .request(
                client: 0,
                ForeignRequest(
                    number: 3,
                    questions: [
                        ForeignQuestion(
                            guid: task, model: "Task", base: 2,
                            parts: [Draft(.delete, model: "Task", guid: task)]),
                        ForeignQuestion(guid: task, model: "Task"),
                    ])),
            "anna makes request 3 by another wire: asks for Task 0.1 at revision 2, "
                + "deletes Task 0.1; asks for Task 0.1"
        ),
        (
            .deletedRow(
                client: 0, Draft(.create, model: "Task", guid: task, fields: ["stars": 9])),
            "Task 0.1 of anna with {stars: 9} is imported as deleted"
        ),
        (.server(.endSessions(login: "anna")), "the sessions of anna end"),
        (
            .edit(
                client: 0,
                Draft(
                    .update, model: "Task", guid: task, fields: ["site": .string(task)],
                    isUnchecked: true, falseBase: 4)),
            "anna updates Task 0.1 from revision 4 with {site: record 0.1}, against the rules"
        ),
    ])
    func everyStepIsSentence(step: Step, sentence: String) throws {
        let scenario = try #require(Scenario(try yard(.manual), clients: 3, steps: 10))
        #expect(step.summary(scenario) == sentence)
    }

    @Test func definitionWithoutPlayersPlaysNothing() throws {
        let yard = try yard(.manual)
        #expect(Scenario(yard, clients: 0, steps: 1) == nil)
        #expect(Scenario(.test(), clients: 1, steps: 1) == nil, "it has no roles")
        #expect(Scenario(yard, clients: 1, steps: 0) != nil)
    }
}
