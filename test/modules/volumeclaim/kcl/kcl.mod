[package]
name = "volumeclaim"
version = "0.1.0"
