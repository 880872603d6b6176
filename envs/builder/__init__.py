"""Environments: root file systems, JDKs, images and their locks. May import envs.support."""
