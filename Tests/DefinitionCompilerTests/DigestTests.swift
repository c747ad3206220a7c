import DefinitionCompiler
import DefinitionModel
import Testing

/// The digest equals the one that every original client computes for the same content.
@Suite struct DigestTests {
    @Test(arguments: [
        ("definition_1", "4685fc2e3f0ba8a3112f136cb8c5ad0be2f88464eee47a55fb0331cf0cc789e2"),
        ("test2", "455a0c98ff50fc6054a720211b0cc09a195b0cd590d69898a4c41a98eebd00c4"),
        ("android-demos", "cf808ef77390e81c4f46b844ef4bfc9375239ae91a892889c72ceb8ea27ff0ea"),
    ])
    func isTheOneOfOriginals(name: String, digest: String) throws {
        let definition = compile(try Fixtures.original(name)).definition
        #expect(definition?.digest == digest)
        #expect(definition?.fingerprint == digest)
    }

    /// In one of them, conflicts in all six models wait for someone, and nobody may resolve them.
    @Test(arguments: [("definition_1", 0), ("test2", 0), ("android-demos", 6)])
    func originalsAreRightOtherwise(name: String, waiting: Int) throws {
        let diagnostics = compile(try Fixtures.original(name)).diagnostics
        #expect(diagnostics.map(\.id) == Array(repeating: "nobodyResolves", count: waiting))
    }

    static let document = """
        <application application="shop" vendor="acme" conflictMode="MANUAL">
          <devices><device name="a"/><device name="b"/></devices>
          <groups><group name="u"/><group name="v"/></groups>
          <roles><role group="u" device="a"/><role group="v" device="b"/></roles>
          <models>
            <model name="Order">
              <fields>
                <field name="count" type="INTEGER" defaultValue="3">
                  <options><option name="minValue">1</option></options>
                  <credentials><credential role="u-a" readAllowed="OWN"/></credentials>
                </field>
                <field name="title" type="TEXT"/>
              </fields>
              <credentials><credential role="u-a" readAllowed="ALL"/></credentials>
            </model>
          </models>
        </application>
        """

    /// Each of these differences changes the digest.
    @Test(arguments: [
        ("\"shop\"", "\"shops\""), ("\"acme\"", "\"acmes\""), ("MANUAL", "DISCARD"),
        ("<device name=\"b\"/>", "<device name=\"b\"/><device name=\"c\"/>"),
        ("<group name=\"v\"/>", "<group name=\"v\"/><group name=\"w\"/>"),
        ("<role group=\"v\" device=\"b\"/>", "<role group=\"v\" device=\"a\"/>"),
        ("\"Order\"", "\"Orders\""), ("\"count\"", "\"amount\""), ("INTEGER", "DECIMAL"),
        ("type=\"TEXT\"", "type=\"TEXT\" required=\"true\""),
        ("\"3\"", "\"03\""), (" defaultValue=\"3\"", ""), (">1<", ">2<"),
        ("OWN", "GROUP"), ("\"ALL\"", "\"ALL\" createAllowed=\"OWN\""),
        ("\"ALL\"", "\"ALL\" updateAllowed=\"OWN\""),
        ("\"ALL\"", "\"ALL\" deleteAllowed=\"OWN\""),
        ("\"ALL\"", "\"ALL\" resolveConflictAllowed=\"true\""),
    ])
    func differsWithContent(part: String, replacement: String) throws {
        let changed = Self.document.replacing(part, with: replacement)
        #expect(changed != Self.document)
        let digests = [Self.document, changed].map { compile(text: $0).definition?.digest }
        #expect(digests[0] != nil && digests[1] != nil && digests[0] != digests[1])
    }

    /// None of these differences changes the digest.
    @Test(arguments: [
        ("<device name=\"a\"/><device name=\"b\"/>", "<device name=\"b\"/><device name=\"a\"/>"),
        ("application=\"shop\" vendor=\"acme\"", "vendor='acme'\n\tapplication='shop'"),
        (" conflictMode=\"MANUAL\"", ""),
        ("type=\"TEXT\"", "type=\"TEXT\" required=\"false\""),
        ("readAllowed=\"OWN\"", "readAllowed=\"OWN\" createAllowed=\"NONE\""),
        (">1<", "><!-- one --> <![CDATA[1]]>\n<"), ("\"acme\"", "\"acm&#101;\""),
    ])
    func isTheSameForTheSameContent(part: String, replacement: String) throws {
        let changed = Self.document.replacing(part, with: replacement)
        #expect(changed != Self.document)
        let digests = [Self.document, changed].map { compile(text: $0).definition?.digest }
        #expect(digests[0] != nil && digests[0] == digests[1])
    }
}
