"""Accounts, orders, memberships and money"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _account()
    _preorder()
    _orders()
    _money_event()
    _membership_event()


def downgrade() -> None:
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_orders_status"))
        batch_op.drop_index(batch_op.f("ix_orders_account_id"))

    op.drop_table("orders")
    with op.batch_alter_table("membership_event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_membership_event_account_id"))

    op.drop_table("membership_event")
    with op.batch_alter_table("preorder", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_preorder_account_id"))

    op.drop_table("preorder")
    with op.batch_alter_table("money_event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_money_event_order_number"))

    op.drop_table("money_event")
    op.drop_table("account")


def _account() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=254), nullable=False),
        sa.Column("nickname", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name", name=op.f("uq_account_name")),
    )


def _preorder() -> None:
    op.create_table(
        "preorder",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("account_id", sa.String(length=40), nullable=True),
        sa.Column("package", sa.String(length=40), nullable=False),
        sa.Column("months", sa.Integer(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_preorder_account_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preorder")),
    )
    with op.batch_alter_table("preorder", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_preorder_account_id"), ["account_id"], unique=False)


def _orders() -> None:
    op.create_table(
        "orders",
        sa.Column("number", sa.String(length=32), nullable=False),
        sa.Column("preorder_id", sa.String(length=40), nullable=False),
        sa.Column("wallet", sa.String(length=10), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("account_id", sa.String(length=40), nullable=True),
        sa.Column("package", sa.String(length=40), nullable=False),
        sa.Column("months", sa.Integer(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("paid_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_orders_account_id"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["preorder_id"], ["preorder.id"], name=op.f("fk_orders_preorder_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_orders")),
        sa.UniqueConstraint("preorder_id", "wallet", "channel", name=op.f("uq_orders_preorder_id_wallet_channel")),
    )
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_orders_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_orders_status"), ["status"], unique=False)


def _money_event() -> None:
    op.create_table(
        "money_event",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
        ),
        sa.Column("order_number", sa.String(length=64), nullable=True),
        sa.Column("wallet", sa.String(length=10), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=False),
        sa.Column("trade", sa.String(length=64), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_money_event")),
    )
    with op.batch_alter_table("money_event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_money_event_order_number"), ["order_number"], unique=False)


def _membership_event() -> None:
    op.create_table(
        "membership_event",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
        ),
        sa.Column("account_id", sa.String(length=40), nullable=True),
        sa.Column("preorder_id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("package", sa.String(length=40), nullable=False),
        sa.Column("seconds", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_membership_event_account_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["preorder_id"], ["preorder.id"], name=op.f("fk_membership_event_preorder_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_membership_event")),
        sa.UniqueConstraint("preorder_id", "kind", name=op.f("uq_membership_event_preorder_id_kind")),
    )
    with op.batch_alter_table("membership_event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_membership_event_account_id"), ["account_id"], unique=False)
