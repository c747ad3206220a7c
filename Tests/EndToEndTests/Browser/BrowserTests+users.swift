import Testing

extension BrowserTests {
    @Test(arguments: Person.Hand.allCases)
    func usersAreAddedChangedAndRemoved(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            try await visit.open("users")
            try await person.press("Add user")
            try await person.fill("Login", with: "cleo", in: "Add user")
            try await person.fill("Mail", with: "cleo@example.org", in: "Add user")
            try await person.fill("Password", with: "a long password", in: "Add user")
            try await person.press("Add", in: "Add user")
            try await person.sees("cleo@example.org")
            _ = try await server.signIn("cleo", password: "a long password")

            try await person.press("Edit cleo")
            try await person.fill("New password", with: "another password", in: "Edit cleo")
            try await person.press("Save", in: "Edit cleo")
            try await visit.browser.wait(for: "!document.querySelector('dialog')")
            _ = try await server.signIn("cleo", password: "another password")

            try await person.fill("Search", with: "cle")
            try await person.sees("1 user")
            try await person.press("Remove cleo")
            try await person.press("Remove", in: "Remove cleo?")
            try await person.sees("No user has this")
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func codesAreMadeAndPersonsErased(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.open("users")
            try await person.press("Invite")
            try await person.fill("How many may use it", with: "2", in: "Invite")
            try await person.press("Make a code", in: "Invite")
            try await person.press("Done", in: "Invitation to users")
            try await person.press("Invite")
            try await person.sees("2", in: "Valid codes")
            try await person.press("End the code for users", in: "Invite")
            try await person.losesSight(of: "Valid codes", in: "Invite")
            try await person.press("Close", in: "Invite")

            try await person.press("Account of b")
            let account = "Account of b"
            try await person.press("Make a code for a new password", in: account)
            let code = try await visit.browser.wait(for: "field('Code', 'Code for b').value")
            #expect(code.string?.count ?? 0 > 20)
            try await person.press("Done", in: "Code for b")
            try await person.press("Forget failed sign-ins", in: account)
            try await person.sees("b can sign in again")
            try await person.press("Erase their data", in: account)
            let erasure = "Erase the data of b?"
            try await person.fill("Type b to confirm", with: "b", in: erasure)
            try await person.press("Erase", in: erasure)
            try await person.losesSight(of: "Type b to confirm")
            try await person.press("Done", in: account)
            try await person.sees("1 user")
        }
    }

    /// Another edit does not move a user to a group that exists.
    @Test(arguments: Person.Hand.allCases)
    func usersWhoCannotSignInAreMarked(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, site) = (visit.person, visit.server.site)
            try await site.sql(
                """
                UPDATE users SET password_hash = '$none$' WHERE login = 'a';
                UPDATE users SET group_name = 'owls' WHERE login = 'b'
                """)
            try await visit.open("users")
            try await person.sees("▲ no password yet", in: "Users")
            try await person.sees("▲ owls, which is gone", in: "Users")
            try await person.press("Edit b")
            try await person.fill("Mail", with: "b@example.org", in: "Edit b")
            try await person.press("Save", in: "Edit b")
            try await person.sees("b@example.org", in: "Users")
            let group = try await site.sql("SELECT group_name FROM users WHERE login = 'b'")
            #expect(group.contains("owls"), "\(group)")
        }
    }

    /// Nothing that was typed is lost when the session ends meanwhile.
    @Test(arguments: Person.Hand.allCases)
    func sessionMayEndDuringEdit(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.open("users")
            try await person.press("Add user")
            try await person.fill("Login", with: "cleo", in: "Add user")
            try await person.fill("Password", with: "a long password", in: "Add user")
            try await visit.browser.deleteCookies()
            try await person.press("Add", in: "Add user")
            try await person.sees("What you typed is still here")
            try await person.fill("Name", with: "ann", in: "Sign in again")
            try await person.fill("Password", with: "password of ann", in: "Sign in again")
            try await person.press("Sign in", in: "Sign in again")
            try await person.sees("3 users")
        }
    }
}
