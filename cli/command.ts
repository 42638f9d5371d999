/** What a command is, and what it receives: parsed arguments, and a terminal that tests can replace. */

/** An option of a command. */
export interface OptionSpec {
  /** Name without dashes. */
  readonly name: string;
  /** Word for the value in help, such as `PORT`; absent for a switch. */
  readonly value?: string;
  /** True for a repeatable option; its values are in `lists`. */
  readonly repeatable?: boolean;
  readonly summary: string;
}

/** Starts to call the listener with each pressed key, such as `h`. The returned function stops it. */
export type Keyboard = (listener: (key: string) => void) => () => void;

/** Input and output of a command, passed as an argument so that tests can capture it. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** True if the output may have colours and other styles. */
  readonly decorated: boolean;
  /** Width of the error stream in characters; absent if its last line cannot be rewritten in place. */
  readonly columns?: number | undefined;
  /** Height of the terminal in rows; absent if it is not known. */
  readonly rows?: number | undefined;
  /** Single keys, without Enter; absent if no user is at the terminal. */
  readonly keyboard?: Keyboard | undefined;
  /** Resolves when the user asks to stop. */
  readonly interrupted: Promise<void>;
}

/** Parsed arguments. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The words after `--`: the client to run, with its arguments; absent without one. */
  readonly clientCommand?: readonly string[];
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
  /** Values of each repeatable option, in the order of the command line. An option without values is absent. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  /** The command line as a shell reads it. */
  readonly line: string;
}

/** What the overview says of a command, which does not load it. */
export interface CommandHead {
  readonly name: string;
  /** Positional arguments in the notation of the help, such as `[CONTRACT…]`. */
  readonly positionals: string;
  readonly summary: string;
}

/** What a command does, as its own file has it. */
export interface CommandBody {
  /** True if the words after `--` are a client to run. */
  readonly takesClientCommand?: boolean;
  /** Paragraphs of the help. */
  readonly description: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly { readonly line: string; readonly about: string }[];
  /** Runs the command and resolves to the exit code. */
  readonly run: (args: Arguments, terminal: Terminal) => Promise<number>;
}

/** A command of the command line. */
export interface Command extends CommandHead, CommandBody {}
