-- contract: a chat is an endpoint of its partner; nothing was deployed with the old table.
DROP TABLE `chats`;