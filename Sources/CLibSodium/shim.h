#ifndef WAGGLE_CLIBSODIUM_SHIM_H
#define WAGGLE_CLIBSODIUM_SHIM_H

#include <sodium.h>

#endif
