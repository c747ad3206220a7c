import DataExchange
import JSON
import Testing

@Suite("Users of a Parse server are read from an export")
struct UserRowTests {
    private func read(_ text: String) -> [UserRowReader.Item] {
        var reader = UserRowReader()
        let bytes = Array(text.utf8)
        let half = bytes.count / 2
        return reader.read(Array(bytes[..<half])) + reader.read(Array(bytes[half...]))
            + reader.finish()
    }

    @Test func usersHaveLoginAndMail() {
        let items = read(
            """
            {"results":[{"objectId":"u1","username":"anna","email":"anna@example.org","age":7},
            {"objectId":"u2","username":"Bob","_hashed_password":"x",
            "authData":{"facebook":{"id":"7"}}},
            {"objectId":"u3","username":"k3Jd","authData":{"anonymous":{"id":"x"}}},
            {"objectId":"u4","username":"eve","authData":{"anonymous":null}}]}
            """)
        #expect(
            items == [
                .user(
                    UserRow(
                        line: 1, login: "anna", mail: "anna@example.org",
                        profile: ["objectId": "u1", "age": 7])),
                .user(UserRow(line: 2, login: "Bob", mail: "", profile: ["objectId": "u2"])),
                .anonymous,
                .user(UserRow(line: 5, login: "eve", mail: "", profile: ["objectId": "u4"])),
            ])
    }

    @Test(arguments: [
        "[1]", #"{"objectId":"u1"}"#, #"{"username":7}"#, #"{"username":""}"#, "{",
    ])
    func othersAreProblems(row: String) {
        for item in read(row) {
            guard case .problem(let problem) = item else {
                Issue.record("\(item)")
                continue
            }
            #expect(problem.line == 1 && !problem.message.isEmpty)
        }
        #expect(read(row).count == 1)
    }
}
