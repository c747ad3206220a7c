import DefinitionCompiler
import DefinitionModel
import JSON
import SchemaImport
import Testing

@Suite("Schemas of other products become definitions")
struct OtherSchemaTests {
    private static let azure = """
        {"swagger":"2.0","paths":{"/tables/TodoItem":{},"/tables/TodoItem/{id}":{},
         "/tables/lost":{},"/api/x":{}},
         "definitions":{"todoitem":{"required":["text"],"properties":{
          "id":{"type":"string"},"__version":{"type":"string"},
          "updatedAt":{"type":"string","format":"date-time"},
          "text":{"type":"string","maxLength":90},"complete":{"type":"boolean"},
          "due":{"type":"string","format":"date-time"},"price":{"type":"number"},
          "group":{"type":"integer","format":"int32"},"tags":{"type":"array"},
          "seal":{"type":"string","format":"byte"},"any":{"type":"file"}}}}}
        """

    private static let realm = """
        [{"title":"Item","bsonType":"object","required":["_id","name"],"properties":{
          "_id":{"bsonType":"objectId"},"name":{"bsonType":"string"},"done":{"bsonType":"bool"},
          "count":{"bsonType":"long"},"owner":{"bsonType":"string"},"at":{"bsonType":"date"},
          "price":{"bsonType":"decimal"},"tags":{"bsonType":"array"},
          "seal":{"bsonType":"binData"},"any":{"bsonType":"mixed"}}},
         {"schema":{"title":"Part","properties":{"item":{"bsonType":"objectId"},
           "items":{"bsonType":"array"}}},
          "relationships":{"item":{"ref":"#/relationship/atlas/db/Item","is_list":false},
           "items":{"ref":"#/relationship/atlas/db/Item","is_list":true}}}]
        """

    private static let amplify = #"""
        # The app's data.
        enum Priority { LOW HIGH }
        input Unused @aws_api_key { name: String = "x" }
        type Blog @model @auth(rules: [{ allow: public, operations: [read] }, { allow: owner }]) {
          id: ID!
          name: String!
          posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        """ A post. """
        type Post @model @auth(rules: [{ allow: groups, groups: ["Editors"] }]) {
          id: ID!
          title: String! @default(value: "new")
          rating: Int
          price: Float
          at: AWSDateTime
          priority: Priority
          tags: [String!]!
          meta: AWSJSON
          address: Address
          size: Size
          blogID: ID @index(name: "byBlog")
          blog: Blog @belongsTo(fields: ["blogID"])
        }
        type Address { street: String }
        type Query { ping: String }
        """#

    @Test func tablesOfAzure() throws {
        let draft = try readAzureSchema(try parseJSON(Array(Self.azure.utf8)))
        #expect(draft.models.map(\.name) == ["TodoItem"])
        let fields = try #require(draft.models.first).fields
        #expect(
            fields.map(\.name) == [
                "complete", "due", "groupField", "price", "seal", "tags", "text",
            ])
        #expect(
            fields.map(\.type) == [.boolean, .date, .integer, .decimal, .text, .text, .text])
        #expect(formats(of: fields) == ["seal base64 750000", "tags json 1000000"])
        #expect(fields.filter(\.isRequired).map(\.name) == ["complete", "text"])
        #expect(fields[0].defaultValue == "false" && fields[2].options.isEmpty)
        #expect(fields[2].alias == "group" && fields[6].options == ["maxLength": "90"])
        #expect(fields[3].options == ["scale": "30"])
        #expect(
            draft.notes == [
                "TodoItem.any is left out: there is no type for file",
                "lost is left out: its path refers to no schema with columns",
            ])
    }

    /// A request of the table sends or answers the schema, which is called otherwise.
    @Test(arguments: [
        #""post":{"requestBody":{"content":{"application/json":{"schema":\#(movie)}}}}"#,
        #""post":{"parameters":[{"in":"query"},{"in":"body","schema":\#(movie)}]}"#,
        #""get":{"responses":{"200":{"schema":{"type":"array","items":\#(movie)}}}}"#,
        #""get":{"responses":{"200":{"content":{"application/json":{"schema":\#(page)}}}}}"#,
    ])
    func schemaOfTableIsFound(requests: String) throws {
        let draft = try azureDraft(#"{"/tables/movies":{\#(requests)}}"#)
        let movies = try #require(draft.models.first)
        #expect(movies.name == "movies" && draft.models.count == 1)
        #expect(
            movies.fields.map(\.name) == ["big", "first_name", "kind", "rating", "seen", "won"])
        #expect(movies.fields.map(\.type) == [.integer, .text, .text, .text, .boolean, .boolean])
        #expect(movies.fields.allSatisfy { $0.alias == nil })
        #expect(movies.fields.filter(\.isRequired).map(\.name) == ["won"])
        #expect(movies.fields[0].options == Self.wide)
        #expect(
            draft.notes == [
                "movies.first name becomes first_name, also for clients: no alias can be called so",
                "movies.rating takes any text, not only G, PG",
            ])
        #expect(errors(in: draft) == [])
    }

    /// A document without a table gives no empty definition.
    @Test(arguments: ["{}", #"{"/tables/Circle":{},"/tables/none":{}}"#])
    func documentWithoutTablesIsRefused(paths: String) throws {
        #expect(throws: SchemaImportError.self) { try azureDraft(paths) }
    }

    private func azureDraft(_ paths: String) throws -> DefinitionDraft {
        let text = #"{"paths":\#(paths),"components":{"schemas":{\#(Self.schemas)}}}"#
        return try readAzureSchema(try parseJSON(Array(text.utf8)))
    }

    private static let wide = ["minValue": "\(Int64.min)", "maxValue": "\(Int64.max)"]
    private static let movie = ##"{"$ref":"#/components/schemas/Movie"}"##
    private static let page = ##"{"$ref":"#/components/schemas/Page"}"##
    private static let schemas = ##"""
        "Page":{"properties":{"items":{"type":"array",
         "items":{"$ref":"#/components/schemas/Movie"}},"count":{"type":"integer"}}},
        "Movie":{"required":["rating"],"properties":{"id":{"type":"string"},
         "big":{"type":"integer","format":"int64"},"first name":{"type":"string"},
         "kind":{"type":["null","string"]},"seen":{"type":"boolean","nullable":true},
         "rating":{"anyOf":[{"$ref":"#/components/schemas/Rating"},{"type":"null"}]},
         "won":{"type":"boolean"}}},
        "Rating":{"enum":["G","PG"],"type":"string"},
        "Circle":{"$ref":"#/components/schemas/Circle"}
        """##

    @Test func collectionsOfRealm() throws {
        let draft = try readRealmSchemas(try parseJSON(Array(Self.realm.utf8)))
        #expect(draft.models.map(\.name) == ["Item", "Part"])
        let fields = draft.models[0].fields
        #expect(
            fields.map(\.name) == [
                "at", "count", "done", "name", "ownerField", "price", "seal", "tags",
            ])
        #expect(
            fields.map(\.type) == [
                .date, .integer, .boolean, .text, .text, .decimal, .text, .text,
            ])
        #expect(formats(of: fields) == ["seal base64 750000", "tags json 1000000"])
        #expect(fields[1].options == Self.wide)
        #expect(fields[3].options == ["maxLength": "1000000"])
        #expect(fields[5].options == ["scale": "30"])
        #expect(fields.filter(\.isRequired).map(\.name) == ["name"])
        #expect(draft.models[1].fields.map(\.type) == [.belongsTo, .text])
        #expect(draft.models[1].fields.first?.options == ["model": "Item"])
        #expect(
            draft.notes == [
                "Item.any is left out: there is no type for mixed",
                "Part.items becomes a list of ids, which nothing checks",
            ])
    }

    @Test func typesOfAmplify() throws {
        let draft = try readAmplifySchema(Self.amplify)
        #expect(draft.models.map(\.name) == ["Blog", "Post"])
        let (blog, post) = (draft.models[0], draft.models[1])
        #expect(blog.fields.map(\.name) == ["name"] && blog.fields[0].isRequired)
        #expect([blog.read, blog.create, blog.update, blog.delete] == [.all, .own, .own, .own])
        #expect(
            post.fields.map(\.name) == [
                "title", "rating", "price", "at", "priority", "tags", "meta", "address", "blog",
            ])
        #expect(
            post.fields.map(\.type) == [
                .text, .integer, .decimal, .date, .text, .text, .text, .text, .belongsTo,
            ])
        #expect(
            formats(of: post.fields) == [
                "tags json 1000000", "meta json 1000000", "address json 1000000",
            ])
        #expect(post.fields[0].options == ["maxLength": "1000000"])
        #expect(post.fields[2].options == ["scale": "30"])
        #expect(post.read == .own && post.fields.last?.options == ["model": "Blog"])
        #expect(
            draft.notes == [
                "Blog.posts is left out: it is the other side of a relation",
                "Post.priority takes any text, not only LOW, HIGH",
                "Post.size is left out: there is no type for Size",
                "the rules of Post name groups or functions: read its rights",
            ])
    }

    /// The fields with a format, and what their values may have.
    private func formats(of fields: [DraftField]) -> [String] {
        fields.compactMap { field in
            field.ownAttributes["format"].map {
                "\(field.name) \($0) \(field.ownAttributes["maxBytes"] ?? "")"
            }
        }
    }

    @Test func textsCompile() throws {
        let drafts = [
            try readAzureSchema(try parseJSON(Array(Self.azure.utf8))),
            try readRealmSchemas(try parseJSON(Array(Self.realm.utf8))),
            try readAmplifySchema(Self.amplify),
        ]
        for draft in drafts { #expect(errors(in: draft) == []) }
    }

    private func errors(in draft: DefinitionDraft) -> [Diagnostic] {
        let text = definitionText(of: draft, application: "a", vendor: "v")
        let result = compile(SourceFile(name: "application.xml", bytes: Array(text.utf8)))
        return result.diagnostics.filter { $0.severity == .error }
    }

    /// A sign and the mark after it are one character. Nothing of a text is lost.
    @Test(arguments: [
        "a\"\u{301}b", "<\u{FE0F}", "&\u{20DD}", "one\ntwo\r\n\tthree", "&lt;", "]]>",
    ])
    func textsOfSchemaAreWrittenAsTheyAre(text: String) throws {
        var model = DraftModel(name: "Note")
        var field = DraftField(name: "title", type: .text)
        field.defaultValue = text
        var relation = DraftField(name: "--\u{301}---", type: .belongsTo)
        relation.options = ["model": "Missing"]
        model.fields = [field, relation]
        var draft = DefinitionDraft()
        draft.models = [model]
        let xml = definitionText(of: draft, application: "a", vendor: "v")
        let result = compile(SourceFile(name: "application.xml", bytes: Array(xml.utf8)))
        let found = result.definition?.models.first?.fields.first?.defaultValue
        #expect(found == .text(text), "\(result.diagnostics) \(xml)")
    }

    @Test(arguments: ["", "type A {", "type A @model { a: [String }", "\"", "type A { a: B }", "%"])
    func otherTextIsRefused(text: String) {
        #expect(throws: SchemaImportError.self) { try readAmplifySchema(text) }
    }

    @Test(arguments: ["[]", "{}", "7", #"{"paths":{}}"#, #"[{"title":1}]"#])
    func otherJSONIsRefused(text: String) throws {
        let json = try parseJSON(Array(text.utf8))
        #expect(throws: SchemaImportError.self) { try readAzureSchema(json) }
        guard text != "[]" else { return }
        #expect(throws: SchemaImportError.self) { try readRealmSchemas(json) }
    }
}
