#include "EmbeddedTexts.h"

#include <string.h>

// SwiftPM compiles C as C17, in which clang has #embed as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

// A text, which ends with a zero byte, and its path in the repository.
static const struct {
    const char *path;
    const char *text;
} texts[] = {
    {"Definitions/Conflicts/application.xml", (const char[]){
#embed "../../Definitions/Conflicts/application.xml" suffix(, 0)
    }},
    {"Definitions/Dates/application.xml", (const char[]){
#embed "../../Definitions/Dates/application.xml" suffix(, 0)
    }},
    {"Definitions/Permissions/application.xml", (const char[]){
#embed "../../Definitions/Permissions/application.xml" suffix(, 0)
    }},
    {"Definitions/Todo/application.xml", (const char[]){
#embed "../../Definitions/Todo/application.xml" suffix(, 0)
    }},
    {"Sources/DefinitionCompiler/Pages/CodeDiagnostics.md", (const char[]){
#embed "../../Sources/DefinitionCompiler/Pages/CodeDiagnostics.md" suffix(, 0)
    }},
    {"Sources/DefinitionCompiler/Pages/DocumentDiagnostics.md", (const char[]){
#embed "../../Sources/DefinitionCompiler/Pages/DocumentDiagnostics.md" suffix(, 0)
    }},
    {"Sources/DefinitionCompiler/Pages/FieldDiagnostics.md", (const char[]){
#embed "../../Sources/DefinitionCompiler/Pages/FieldDiagnostics.md" suffix(, 0)
    }},
    {"Sources/DefinitionCompiler/Pages/LanguageDiagnostics.md", (const char[]){
#embed "../../Sources/DefinitionCompiler/Pages/LanguageDiagnostics.md" suffix(, 0)
    }},
    {"Sources/DefinitionCompiler/Pages/OwnDiagnostics.md", (const char[]){
#embed "../../Sources/DefinitionCompiler/Pages/OwnDiagnostics.md" suffix(, 0)
    }},
    {"Sources/DefinitionCompiler/Pages/RightsDiagnostics.md", (const char[]){
#embed "../../Sources/DefinitionCompiler/Pages/RightsDiagnostics.md" suffix(, 0)
    }},
    {"Templates/project/App+fields.swift.mustache", (const char[]){
#embed "../../Templates/project/App+fields.swift.mustache" suffix(, 0)
    }},
    {"Templates/project/App+signIn.swift.mustache", (const char[]){
#embed "../../Templates/project/App+signIn.swift.mustache" suffix(, 0)
    }},
    {"Templates/project/App.swift.mustache", (const char[]){
#embed "../../Templates/project/App.swift.mustache" suffix(, 0)
    }},
    {"Templates/project/AppTests.swift.mustache", (const char[]){
#embed "../../Templates/project/AppTests.swift.mustache" suffix(, 0)
    }},
    {"Templates/project/Package.swift.mustache", (const char[]){
#embed "../../Templates/project/Package.swift.mustache" suffix(, 0)
    }},
    {"Templates/project/README.md.mustache", (const char[]){
#embed "../../Templates/project/README.md.mustache" suffix(, 0)
    }},
    {"Templates/project/gitignore.mustache", (const char[]){
#embed "../../Templates/project/gitignore.mustache" suffix(, 0)
    }},
    {"Templates/swift/definition.swift.mustache", (const char[]){
#embed "../../Templates/swift/definition.swift.mustache" suffix(, 0)
    }},
    {"Templates/swift/header.swift.mustache", (const char[]){
#embed "../../Templates/swift/header.swift.mustache" suffix(, 0)
    }},
    {"Templates/swift/model.swift.mustache", (const char[]){
#embed "../../Templates/swift/model.swift.mustache" suffix(, 0)
    }},
    {"Templates/typescript/definition.ts.mustache", (const char[]){
#embed "../../Templates/typescript/definition.ts.mustache" suffix(, 0)
    }},
    {"Templates/typescript/header.ts.mustache", (const char[]){
#embed "../../Templates/typescript/header.ts.mustache" suffix(, 0)
    }},
    {"Templates/typescript/model.ts.mustache", (const char[]){
#embed "../../Templates/typescript/model.ts.mustache" suffix(, 0)
    }},
};

const char *embeddedText(const char *path) {
    for (unsigned long number = 0; number < sizeof texts / sizeof *texts; number++)
        if (strcmp(texts[number].path, path) == 0)
            return texts[number].text;
    return "";
}
