"""The commands of the command line, a module each; `fairdeal.checker.cli` loads one when it is called."""
