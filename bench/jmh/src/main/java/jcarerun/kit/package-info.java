/** Measures the planned rounds on a machine that has nothing but Java; data/README.md describes what it leaves. */
package jcarerun.kit;
