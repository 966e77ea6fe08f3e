import { Command } from 'commander';

/** Reads the command line of a program that takes no arguments: prints the help for `--help`, and refuses all others. */
export function readCommandLine(name: string, description: string): void {
  new Command(name)
    .description(description)
    .addHelpText('after', '\nEnvironment variables configure it; docs/configuration.md lists them.')
    .showHelpAfterError('It takes no arguments (see --help).')
    .parse();
}
