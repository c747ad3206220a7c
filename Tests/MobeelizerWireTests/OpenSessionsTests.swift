import Testing

@testable import MobeelizerWire

@Suite("A session is found by environment, login, password and device")
struct OpenSessionsTests {
    private let ada = ClientIdentity(
        vendor: "waggle", application: "films", environment: "test", digest: "d",
        deviceCategory: "mobile", deviceIdentifier: "phone", login: "ada", password: "secret")

    private func sessions(max: Int = 10) -> OpenSessions { OpenSessions(salt: "salt", max: max) }

    private func numbered(_ number: UInt8) -> ClientIdentity {
        ada.with(login: "user \(number)")
    }

    @Test func sessionIsFoundUntilItIsForgotten() {
        let sessions = sessions()
        #expect(sessions.tokenHash(of: ada) == nil)
        sessions.keep([1], of: ada)
        #expect(sessions.tokenHash(of: ada) == [1])
        sessions.keep([2], of: ada)
        #expect(sessions.tokenHash(of: ada) == [2])
        sessions.forget(ada)
        #expect(sessions.tokenHash(of: ada) == nil)
        sessions.forget(ada)
        sessions.keep([3], of: ada)
        #expect(sessions.tokenHash(of: ada) == [3])
    }

    @Test func anotherEnvironmentPasswordLoginOrDeviceIsAnotherOne() {
        let sessions = sessions()
        sessions.keep([1], of: ada)
        let others = [
            ada.with(password: "Secret"), ada.with(password: ""), ada.with(login: "Ada"),
            ada.with(deviceCategory: "office"), ada.with(deviceIdentifier: "tablet"),
            ada.with(environment: "production"),
        ]
        for other in others { #expect(sessions.tokenHash(of: other) == nil, "\(other)") }
    }

    /// A device with a new version of its app is the same device.
    @Test func versionOfClientDoesNotMatter() {
        let sessions = sessions()
        sessions.keep([1], of: ada)
        #expect(sessions.tokenHash(of: ada.with(digest: "e")) == [1])
    }

    /// Concatenated, each of these pairs gives the same text.
    @Test func partsAreKeptApart() {
        let sessions = sessions()
        let pairs = [
            (ada, ada.with(login: "adas", password: "ecret")),
            (
                ada.with(deviceCategory: "m", password: "secret\u{0}"),
                ada.with(deviceCategory: "\u{0}m", password: "secret")
            ),
            (
                ada.with(deviceCategory: "mob", deviceIdentifier: "ilephone"),
                ada.with(deviceCategory: "mobile", deviceIdentifier: "phone")
            ),
            // Also with a colon between them.
            (ada.with(login: "a:b", password: "c"), ada.with(login: "a", password: "b:c")),
        ]
        for (one, other) in pairs {
            sessions.keep([1], of: one)
            #expect(sessions.tokenHash(of: other) == nil, "\(one) \(other)")
            sessions.forget(one)
        }
    }

    /// Composed and decomposed `é`.
    @Test func textsAreComparedByTheirBytes() {
        let sessions = sessions()
        sessions.keep([1], of: ada.with(password: "\u{E9}"))
        #expect(sessions.tokenHash(of: ada.with(password: "e\u{301}")) == nil)
    }

    @Test func beyondTheMostThatAreKeptTheOldestGoes() {
        let sessions = sessions(max: 3)
        for number in UInt8(1)...5 { sessions.keep([number], of: numbered(number)) }
        let kept = (UInt8(1)...5).map { sessions.tokenHash(of: numbered($0)) }
        #expect(kept == [nil, nil, [3], [4], [5]])
    }

    @Test func replacedAndForgottenSessionsTakeNoMemory() {
        let sessions = sessions(max: 3)
        for number in UInt8(1)...3 { sessions.keep([number], of: numbered(number)) }
        for _ in 0..<5 { sessions.keep([9], of: numbered(3)) }
        sessions.forget(numbered(2))
        sessions.keep([4], of: numbered(4))
        let kept = (UInt8(1)...4).map { sessions.tokenHash(of: numbered($0)) }
        #expect(kept == [[1], nil, [9], [4]])
    }

    @Test(arguments: 0..<4)
    func manyMayAskAtATime(round: Int) async {
        let sessions = sessions(max: 50)
        await withTaskGroup(of: Void.self) { group in
            for number in UInt8(0)..<100 {
                group.addTask {
                    let identity = numbered(number)
                    sessions.keep([number], of: identity)
                    #expect([nil, [number]].contains(sessions.tokenHash(of: identity)))
                }
            }
        }
        let kept = (UInt8(0)..<100).compactMap { sessions.tokenHash(of: numbered($0)) }
        #expect(kept.count == 50)
    }
}

extension ClientIdentity {
    fileprivate func with(
        environment: String? = nil, digest: String? = nil, deviceCategory: String? = nil,
        deviceIdentifier: String? = nil, login: String? = nil, password: String? = nil
    ) -> ClientIdentity {
        ClientIdentity(
            vendor: vendor, application: application,
            environment: environment ?? self.environment,
            digest: digest ?? self.digest, deviceCategory: deviceCategory ?? self.deviceCategory,
            deviceIdentifier: deviceIdentifier ?? self.deviceIdentifier,
            login: login ?? self.login, password: password ?? self.password)
    }
}
