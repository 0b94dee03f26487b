"""Signatures that accounts keep"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "saved_signature",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("account_id", sa.String(length=40), nullable=False),
        sa.Column("look", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_saved_signature_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_signature")),
    )
    with op.batch_alter_table("saved_signature", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_saved_signature_account_id"), ["account_id"], unique=False)


def downgrade() -> None:
    op.drop_table("saved_signature")
