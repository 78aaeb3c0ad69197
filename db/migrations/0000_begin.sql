-- events, payload_uses and channel_values are WITHOUT ROWID by hand: drizzle cannot say it
CREATE TABLE `channel_values` (
	`scope` text NOT NULL,
	`owner` text NOT NULL,
	`channel` text NOT NULL,
	`value` text,
	PRIMARY KEY(`scope`, `owner`, `channel`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`run_id` text NOT NULL,
	`seq` integer NOT NULL,
	`kind` text NOT NULL,
	`node_id` text,
	`layer` text,
	`packed` integer NOT NULL,
	`json` text NOT NULL,
	PRIMARY KEY(`run_id`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `flow_versions` (
	`flow_id` text NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`node_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`flow_id`, `version`),
	FOREIGN KEY (`flow_id`) REFERENCES `flows`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`hash`) REFERENCES `frozen_documents`(`hash`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `flows` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`document` text NOT NULL,
	`hash` text NOT NULL,
	`node_count` integer NOT NULL,
	`template_id` text,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `flows_by_update` ON `flows` (`updated_at`);--> statement-breakpoint
CREATE TABLE `frozen_documents` (
	`hash` text PRIMARY KEY NOT NULL,
	`document` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `frozen_plans` (
	`hash` text PRIMARY KEY NOT NULL,
	`plan` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`attachments` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`run_id` text,
	`workspace` text,
	`document_hash` text,
	`reply_removed` integer NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `messages_by_session` ON `messages` (`session_id`,`position`);--> statement-breakpoint
CREATE INDEX `messages_by_run` ON `messages` (`run_id`);--> statement-breakpoint
CREATE TABLE `payload_uses` (
	`run_id` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`run_id`, `hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payload_uses_by_hash` ON `payload_uses` (`hash`);--> statement-breakpoint
CREATE TABLE `payloads` (
	`hash` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`json` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `providers` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`base_url` text,
	`models` text NOT NULL,
	`sealed_key` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`flow_id` text NOT NULL,
	`flow_name` text NOT NULL,
	`status` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`input` text,
	`output` text,
	`error` text,
	`usage` text NOT NULL,
	`session_id` text,
	`workspace` text,
	`options` text NOT NULL,
	`last_seq` integer NOT NULL,
	`rehearsal` integer NOT NULL,
	`waiting` integer NOT NULL,
	`document_hash` text NOT NULL,
	`plan_hash` text NOT NULL,
	`origin` text
);
--> statement-breakpoint
CREATE INDEX `runs_by_start` ON `runs` (`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `runs_by_flow` ON `runs` (`flow_id`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `runs_by_session` ON `runs` (`session_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `runs_by_status` ON `runs` (`status`);--> statement-breakpoint
CREATE INDEX `runs_by_document` ON `runs` (`document_hash`);--> statement-breakpoint
CREATE INDEX `runs_by_plan` ON `runs` (`plan_hash`);--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`flow_id` text NOT NULL,
	`title` text NOT NULL,
	`forked_from` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_by_flow` ON `sessions` (`flow_id`,`updated_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text,
	`updated_at` integer NOT NULL
);
