"""Environments: root file systems, JDKs, images and their locks. May import jcarerun.support."""
