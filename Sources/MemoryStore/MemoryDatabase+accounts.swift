import DefinitionModel
package import SyncEngine
package import UserAccounts

extension MemoryDatabase: AccountStore {
    package func users(in environment: EnvironmentID) throws(StoreError) -> [User] {
        try read(environment).users.sorted { $0.key < $1.key }.map(\.value)
    }

    package func users(matching query: UserQuery) throws(StoreError) -> [ListedUser] {
        let part = lowercaseASCII(query.search)
        let environment = try read(query.environment)
        let found = environment.users.filter { login, user in
            ByteKey(query.after) < login
                && [user.login, user.mail, user.group].contains {
                    lowercaseASCII($0).contains(part)
                }
        }
        return found.sorted { $0.key < $1.key }.prefix(query.limit).map { login, user in
            ListedUser(user, lastDay: environment.userDays[login])
        }
    }

    package func logins(
        withMail mail: String, in environment: EnvironmentID, limit: Int
    ) throws(StoreError) -> [String] {
        let mail = lowercaseASCII(mail)
        let found = try read(environment).users.values.filter { lowercaseASCII($0.mail) == mail }
        return found.prefix(limit).map(\.login)
    }

    package func userCount(in environment: EnvironmentID) throws(StoreError) -> Int {
        try read(environment).users.count
    }

    package func user(
        _ login: String, in environment: EnvironmentID
    ) throws(StoreError) -> User? {
        try read(environment).users[ByteKey(login)]
    }

    package func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID, comparing names: AccountNames?,
        deciding: @escaping @Sendable (User?, OtherAccounts) -> Result<UserChange, Refusal>
    ) throws(StoreError) -> Refusal? {
        try write { contents throws(StoreError) in
            let users = try contents.environment(environment).users
            let present = users[ByteKey(login)]
            let others = names.map { otherAccounts($0, than: login, in: users) }
            switch deciding(present, others ?? .notAsked) {
            case .failure(let refusal): return refusal
            case .success(.remove):
                if let present {
                    contents.environments[environment]?.noteReadPolicyChange(
                        from: .group(present.group), of: login)
                }
                contents.removeUser(login, from: environment)
            case .success(.write(let user, let endingSessions)):
                if let present, !present.group.hasSameBytes(as: user.group) {
                    contents.environments[environment]?.noteReadPolicyChange(
                        from: .group(present.group), of: login)
                }
                contents.environments[environment]?.users[ByteKey(user.login)] = user
                if let present, user.endsResets(madeFor: present) {
                    contents.environments[environment]?.forgetResets(of: login)
                }
                if endingSessions {
                    contents.endSessions(of: user.login, in: environment)
                    contents.environments[environment]?.forgetFailedSignIns(of: user.login)
                }
            case .success(.unlock):
                contents.environments[environment]?.forgetFailedSignIns(of: login)
            }
            return nil
        }
    }
}

private func otherAccounts(
    _ names: AccountNames, than login: String, in users: [ByteKey: User]
) -> OtherAccounts {
    let others = users.filter { $0.key != ByteKey(login) }.values
    return OtherAccounts(
        haveLogin: others.contains { lowercaseASCII($0.login) == lowercaseASCII(login) },
        haveMail: others.contains {
            !$0.mail.isEmpty && lowercaseASCII($0.mail) == lowercaseASCII(names.mail)
        },
        count: min(users.count, names.mostUsers))
}

extension Environment {
    fileprivate mutating func forgetOutcomes(of login: String) {
        outcomes = outcomes.filter { $0.key.device.login != ByteKey(login) }
    }

    mutating func forgetFailedSignIns(of login: String) {
        failedSignIns = failedSignIns.filter { $0.key.login != ByteKey(login) }
    }
}

extension Contents {
    mutating func removeUser(_ login: String, from environment: EnvironmentID) {
        environments[environment]?.users[ByteKey(login)] = nil
        environments[environment]?.progress[ByteKey(login)] = nil
        environments[environment]?.devices[ByteKey(login)] = nil
        environments[environment]?.userDays[ByteKey(login)] = nil
        environments[environment]?.forgetOutcomes(of: login)
        environments[environment]?.deviceFiles[ByteKey(login)] = nil
        environments[environment]?.forgetPushTokens(of: login)
        environments[environment]?.forgetResets(of: login)
        endSessions(of: login, in: environment)
    }

    mutating func endSessions(of login: String, in environment: EnvironmentID) {
        sessions = sessions.filter {
            $0.value.environment != environment || ByteKey($0.value.login) != ByteKey(login)
        }
    }
}
