#ifndef WAGGLE_CLIBXML2_SHIM_H
#define WAGGLE_CLIBXML2_SHIM_H

// Where libxml2 was built with ICU, its headers bring ICU's, which contradict the copy that
// Foundation has. They are only needed for the inside of a structure that we never look into.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#endif
