# SPDX-License-Identifier: GPL-2.0-only
"""driver-symbols.py NM PORT GUEST_LIBRARY HW_LIBRARY OUTPUT

Write the C table of the names that a driver may take from the program:
functions and variables of the guest library whose names occur in the
headers of the port, and the hooks of the instrumentation.
"""

import os
import re
import subprocess
import sys


def defined(nm, library):
    text = subprocess.run([nm, "-g", "--defined-only", "-P", library],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[0] for line in text.splitlines()
            if len(line.split()) > 2}


def declared(port):
    names = set()
    for folder, _, files in os.walk(port):
        for name in files:
            if name.endswith(".h"):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    text = re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S)
                names.update(re.findall(r"\b[A-Za-z_]\w*", text))
    return names


def main():
    nm, port, guest, hw, output = sys.argv[1:]
    names = defined(nm, guest) & declared(port)
    names |= {n for n in defined(nm, hw) if n.startswith("__tsan_")}
    with open(output, "w", encoding="utf-8") as f:
        f.write("/* Made by cmake/driver-symbols.py. */\n"
                "#include <stddef.h>\n\n"
                '#include "model/harness/driver_check.h"\n\n'
                "const char *const driver_symbols[] = {\n")
        f.writelines(f'\t"{name}",\n' for name in sorted(names))
        f.write("};\n"
                "const size_t driver_symbols_nr =\n"
                "\tsizeof(driver_symbols) / sizeof(*driver_symbols);\n")


main()
