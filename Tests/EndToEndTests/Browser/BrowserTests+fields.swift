import DefinitionModel
import JSON
import Testing

@testable import DefinitionCompiler

/// The forms of models and fields.
extension BrowserTests {
    /// Limits that a type does not have go with the change: none is left without a control.
    @Test func everyTypeBecomesEveryOther() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.design("Conflicts", on: "models")
            let errors = try await visit.browser.wait(for: typeScript)
            #expect(errors.text == #"{"changes":60,"errors":[]}"#)
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func uniqueFieldBecomesFile(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await person.press("unique", in: "Field title")
            try await person.sees("saved", in: "Draft")
            try await person.choose("FILE", of: "type", in: "Field title")
            try await visit.browser.wait(for: "!button('unique', 'Field title')")
            try await person.sees("✓ checked", in: "Draft")
        }
    }

    /// Each attribute of the language and each option of each type can be set.
    @Test func everySettingHasControl() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.begin(with: everySetting)
            let keys = try await visit.browser.wait(
                for: "(document.querySelectorAll('.field-row').length === 9 || null) && "
                    + "[...document.querySelectorAll('main [data-key]')].map((e) => e.dataset.key)")
            let found = keys.elements.compactMap(\.string).map { $0.split(separator: " ") }
            let controls = { (place: [Substring]) -> Set<String> in
                Set(
                    found.filter { $0.starts(with: place) && $0.count > place.count }
                        .map { String($0[place.count]) })
            }
            let schema = ElementSchema.application
            let model = try #require(schema.items(of: "models"))
            let field = try #require(model.items(of: "fields"))
            // One control sets both.
            let modes: Set = ["conflictMode", "w:conflictMode"]
            #expect(controls(["application"]).union(modes) == schema.settings)
            #expect(controls(["model"]).subtracting(["more"]) == model.settings)
            let types = FieldTypeName.allCases + [.text, .belongsTo]
            let all = types.indices.map { (types[$0], controls(["field", "\($0)"])) }
            for type in FieldTypeName.allCases {
                let shown = Set(all.filter { $0.0 == type }.flatMap(\.1))
                #expect(
                    shown.subtracting(["up", "down", "remove", "more"])
                        == field.settings(of: type), "\(type)")
            }
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func rareSettingsAreWritten(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await person.choose("DECIMAL", of: "type", in: "Field score")
            try await person.sees("digits", in: "Field score")
            try await person.press("more", in: "Field score")
            try await person.press("from itself is allowed", in: "Field score")
            try await person.fill("description", with: "stars", in: "Field score")
            try await person.leaveField()
            try await person.sees("more: description", in: "Field score")
            try await person.press("Application conflicts, MANUAL")
            try await person.fill("Description of the application", with: "for two")
            try await person.leaveField()
            try await person.sees("saved", in: "Draft")
            try await visit.browser.open("/console/xml")
            let text = try await visit.text()
            #expect(text.contains(#"<option name="includeMinValue">false</option>"#), "\(text)")
            #expect(text.contains(#"w:description="stars""#), "\(text)")
            #expect(text.contains(#"w:description="for two""#), "\(text)")
            // The limits of an integer are limits of a decimal.
            #expect(text.contains(#"<option name="maxValue">5</option>"#), "\(text)")
            try await visit.browser.open("/console/models")
            try await person.press("more: description", in: "Field score")
            try await person.press("from itself is allowed", in: "Field score")
            try await person.sees("saved", in: "Draft")
            try await visit.browser.open("/console/xml")
            #expect(try await !visit.text().contains("includeMinValue"))
        }
    }

    /// A default is written in milliseconds, and shown as a date.
    @Test func defaultOfDateIsMoment() async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "models")
            try await person.press("New field")
            // A letter chooses the next type that it begins.
            try await person.choose("DECIMAL", of: "type", in: "Field field1")
            try await person.sees("digits", in: "Field field1")
            try await person.choose("DATE", of: "type", in: "Field field1")
            for (shown, written) in [
                ("2026-01-01T00:00", "1767225600000"), ("1970-01-01T00:00", "0"),
            ] {
                try await browser.wait(
                    for: "field('default', 'Field field1')?.type === 'datetime-local'")
                try await browser.script(
                    """
                    const target = field('default', 'Field field1')
                    target.focus()
                    target.value = given[0]
                    target.blur()
                    """, .string(shown))
                try await person.sees("saved", in: "Draft")
                try await browser.open("/console/xml")
                #expect(try await visit.text().contains("defaultValue=\"\(written)\""))
                try await browser.open("/console/models")
                try await browser.wait(
                    for: "field('default', 'Field field1')?.value === given[0]", .string(shown))
            }
        }
    }

    /// A fragment that is not of a model changes nothing, and one that cannot be read is none.
    @Test func fragmentsOfOthersChooseNoModel() async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.begin(with: largeDefinition(models: 3))
            try await person.press("model3", in: "Models")
            try await person.sees("Fields", in: "Model model3")
            try await browser.script("document.querySelector('.skip').click()")
            try await browser.wait(for: "location.hash === '#main'")
            try await person.press("unique", in: "Field title")
            try await person.sees("saved", in: "Draft")
            try await person.sees("Fields", in: "Model model3")
            for (fragment, model) in [
                ("#100%", "model1"), ("#model-100%", "model1"), ("#model-model2", "model2"),
            ] {
                try await browser.open("/console/rights")
                try await browser.open("/console/models\(fragment)")
                try await person.sees("Fields", in: "Model \(model)")
            }
            try await browser.script("history.replaceState(null, '', '#model-model3')")
            try await browser.script("dispatchEvent(new HashChangeEvent('hashchange'))")
            try await person.sees("Fields", in: "Model model3")
        }
    }
}

extension ElementSchema {
    /// The element of a section.
    fileprivate func items(of section: String) -> ElementSchema? {
        children.first { $0.name == section }?.children.first
    }

    /// The attributes as the console names them.
    fileprivate var settings: Set<String> {
        Set(attributes).union(ownAttributes.map { "w:\($0)" })
    }

    /// Those of a field of a type, with its options.
    fileprivate func settings(of type: FieldTypeName) -> Set<String> {
        let limits = FieldTypeName.allOwnLimits.filter { !type.ownLimits.contains($0) }
        let hasDefault = ![.belongsTo, .file].contains(type)
        return settings.subtracting(limits.map { "w:\($0)" }).union(type.options)
            .subtracting(hasDefault ? [] : ["defaultValue"])
    }
}

/// A field of each type, in the order of the types, a text with a format, and a second relation.
/// All were renamed.
private let everySetting: String = {
    let options: [FieldTypeName: String] = [
        .belongsTo: #"<options><option name="model">every</option></options>"#
    ]
    let types: [(FieldTypeName, String)] =
        FieldTypeName.allCases.map { ($0, "") }
        + [(.text, #"w:format="json""#), (.belongsTo, "")]
    let fields = types.enumerated().map { number, field in
        """
        <field name="f\(number)" type="\(field.0.rawValue)" w:renamedFrom="e\(number)" \(field.1)>
          \(options[field.0] ?? "")
        </field>
        """
    }
    return """
        <application xmlns="http://schema.mobeelizer.com/application"
                     xmlns:w="urn:waggle:definition" application="every" vendor="own">
          <devices><device name="mobile"/></devices>
          <groups><group name="users"/></groups>
          <roles><role group="users" device="mobile"/></roles>
          <models>
            <model name="every" w:renamedFrom="each"><fields>
        \(fields.joined(separator: "\n"))
            </fields></model>
          </models>
        </application>
        """
}()

/// Changes fields with every limit of their types to each other type, and counts the changes.
/// Returns the errors that the compiler finds afterwards.
private let typeScript = #"""
    (globalThis.run ??= (async () => {
      const load = (name) => import(`/console/modules/${name}.js`)
      const [{ typeChange, types }, { fieldsOf, modelsOf }, { post }] =
        await Promise.all(['field-limits', 'outline', 'api'].map(load))
      const option = (name, value) => `<option name="${name}">${value}</option>`
      const text = 'w:minLength="1" w:pattern="[0-9a]+" w:allowedValues="a|1"'
      const numbers = option('minValue', 1) + option('maxValue', 5000000000)
      const decimals = option('scale', 2) + option('minValue', 0.5) + option('maxValue', 9.5)
        + option('includeMinValue', false) + option('includeMaxValue', false)
      const fields = [
        ['TEXT', `${text} defaultValue="1"`, option('maxLength', 9)],
        ['TEXT', `${text} w:unique="true"`, option('maxLength', 9)],
        ['TEXT', 'w:format="json" w:maxBytes="99"', ''],
        ['INTEGER', 'w:allowedValues="2|3000000000" defaultValue="3000000000"', numbers],
        ['INTEGER', 'w:allowedValues="2|3000000000" w:unique="true"', numbers],
        ['DECIMAL', 'w:allowedValues="1.5|2" defaultValue="1.50"', decimals],
        ['BOOLEAN', 'defaultValue="true"', ''],
        ['DATE', 'w:minDate="2026-01-01" w:maxDate="2026-12-31" w:unique="true"', ''],
        ['BELONGS_TO', 'w:unique="true"', option('model', 'm') + option('analyzeConflict', true)],
        ['FILE', '', ''],
      ]
      const errors = [], changed = []
      const check = async (title, body) => {
        const answer = await post('edit', body)
        for (const each of answer.diagnostics) {
          if (each.severity === 'error') errors.push(`${title}: ${each.message}`)
        }
        return answer
      }
      for (const [type, attributes, options] of fields) {
        const xml = `<application xmlns="http://schema.mobeelizer.com/application"
          xmlns:w="urn:waggle:definition" application="a" vendor="v"><devices><device name="d"/>
          </devices><groups><group name="g"/></groups><roles><role group="g" device="d"/></roles>
          <models><model name="m"><fields><field name="f" type="${type}" ${attributes}>
          <options>${options}</options></field></fields></model></models></application>`
        const { outline } = await check(type, { xml, edits: [] })
        const entry = fieldsOf(modelsOf(outline)[0])[0]
        for (const other of types.filter((each) => each !== type)) {
          const edits = typeChange('m', entry, other)
          if (other === 'BELONGS_TO') {
            edits.push({ do: 'write', path: [['models'], ['model', 'name', 'm'], ['fields'],
              ['field', 'name', 'f'], ['options'], ['option', 'name', 'model']], value: 'm' })
          }
          await check(`${type} to ${other}`, { xml, edits })
          changed.push(other)
        }
      }
      globalThis.found = { changes: changed.length, errors }
    })().catch((error) => { globalThis.found = String(error) }), globalThis.found)
    """#
